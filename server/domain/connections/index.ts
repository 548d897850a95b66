// Assembles connections: the operations for people, and the connected servers for tools.
import type { Clock } from '../../lib/clock.ts';
import { createSerial } from '../../lib/gate.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { EventLog } from '../../kernel/log/index.ts';
import type { SecretStore } from '../../kernel/secrets/index.ts';
import type { Operation } from '../../operations/index.ts';
import type { Mode, Settings } from '../../settings/index.ts';
import type { ConnectedServers } from '../tools/index.ts';
import { Connections, type ApprovalMode } from './connections.ts';
import { createEgressPolicy } from './egress-policy.ts';
import { connectionOperations } from './operations.ts';
import { createConnected } from './serving.ts';

export { connectionProjection } from './projection.ts';
export { connectionMigrations } from './sql.ts';

/** Milliseconds until connections that could not be read are read again. */
const RELOAD_AFTER = 1000;

export interface ConnectionService {
  operations: Operation[];
  connected: ConnectedServers;
  /** Reads the stored connections; called before the first request. */
  load: () => Promise<void>;
  close: () => void;
}

export interface ConnectionServiceOptions {
  settings: Pick<Settings, 'connectionRules' | 'toolServers'>;
  mode: Mode;
  people: ApprovalMode;
  log: EventLog;
  secrets: SecretStore;
  clock: Clock;
  ids: Ids;
  connectPage: () => { page: string; server: string };
}

export function createConnectionService(options: ConnectionServiceOptions): ConnectionService {
  const { settings, mode, people, log, secrets, clock, ids, connectPage } = options;
  const rules = () => ({ rules: settings.connectionRules(), mode });
  const configuredNames = () => settings.toolServers().map(({ name }) => name);
  const egress = createEgressPolicy(rules, clock);
  const connections = new Connections({ log, secrets, clock, ids, people, rules, configuredNames, connectPage });
  const mayBeAdded = () => people !== 'nobody' && settings.connectionRules().peopleMayAdd;
  const inTurn = createSerial();
  /** A database that is away is asked again. */
  function loadAgain(): void {
    inTurn('load', () => connections.load()).catch(() => void clock.wakeAfter(RELOAD_AFTER, loadAgain));
  }
  log.shared?.onCommittedElsewhere(({ playbook }) => {
    // The streams of connections stand outside of every playbook.
    if (playbook === '') loadAgain();
  });
  return {
    operations: connectionOperations(connections),
    connected: createConnected({ connections, secrets, clock, egress, rules, configuredNames, mayBeAdded }),
    load: () => connections.load(),
    close: egress.close,
  };
}
