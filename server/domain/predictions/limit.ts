import { LIMITS } from '../../../shared/limits.ts';
import { conflict } from '../../lib/rejection.ts';
import type { DefinitionHooks } from '../definitions/index.ts';
import { countFunctions } from './sql.ts';

/** Holds a playbook to its number of active prediction functions. */
export const PREDICTION_LIMIT: DefinitionHooks = {
  async saved(tx, key, version) {
    if (key.type !== 'prediction' || version > 1) return;
    if ((await countFunctions(tx, key, 1)) <= LIMITS.predictionFunctions) return;
    throw conflict(
      `The playbook ${key.playbook} has ${LIMITS.predictionFunctions} active prediction functions, which is the limit; retire one first.`,
    );
  },
  async retired(tx, key) {
    if (key.type === 'prediction') await countFunctions(tx, key, -1);
  },
};
