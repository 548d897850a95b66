// Prediction functions: questions about series, answered by the active model version; builds, which ask a trainer for
// models.
import type { SchemaChecker } from '../../lib/schemas/index.ts';
import type { Sources } from '../../lib/yaml/index.ts';
import type { Kind } from '../kind.ts';
import type { Ending, RunRequest } from '../run.ts';
import { checkPrediction } from './check.ts';
import { readInput } from './input.ts';

export { columnsOf, type PredictionFunction, readFunction } from './document.ts';

export interface PredictionKindOptions {
  sources: Sources;
  schemas: SchemaChecker;
}

export function createPredictionKind({ sources, schemas }: PredictionKindOptions): Kind {
  return {
    type: 'prediction',
    traits: {},
    check: (source, context) => checkPrediction(source, context, { sources, schemas }),
    async start({ name, input }: RunRequest): Promise<Ending> {
      const asked = readInput(input);
      if ('issue' in asked) {
        const { issue } = asked;
        return { status: 'rejected', rejection: { reason: 'invalid_input', detail: issue.detail, issues: [issue] } };
      }
      if (asked.ask === 'build') {
        const detail = `The playbook has no dataset for prediction/${name}; upload one first.`;
        return { status: 'rejected', rejection: { reason: 'conflict', kind: 'no_dataset', detail } };
      }
      const detail = `prediction/${name} has no active model version; build one and activate it.`;
      return { status: 'rejected', rejection: { reason: 'unavailable', because: 'no_active_version', detail } };
    },
    tryExample: async (_source, { input }) => {
      const asked = readInput(input);
      return 'issue' in asked ? [asked.issue.detail] : [];
    },
  };
}
