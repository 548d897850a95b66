export { playbookOperations } from './operations.ts';
export {
  createPlaybooks,
  playbookProjection,
  type Playbooks,
  requireActivePlaybook,
  requirePlaybook,
} from './playbooks.ts';
export { activeIds, playbookMigrations, selectPlaybook as findPlaybook } from './sql.ts';
