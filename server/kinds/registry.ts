import type { DefinitionType } from '../../shared/definition-types.ts';
import { unavailable } from '../kernel/rejection.ts';
import { createSandbox, createTypeChecker } from '../kernel/programs/index.ts';
import type { SchemaChecker } from '../kernel/schemas/index.ts';
import { createComputationKind } from './computation/index.ts';
import type { Kind } from './kind.ts';

export interface Kinds {
  byType: Readonly<Record<DefinitionType, Kind>>;
  /** Lets workers and child processes go. */
  close(): Promise<void>;
}

export function createKinds(schemas: SchemaChecker): Kinds {
  const sandbox = createSandbox();
  const types = createTypeChecker();
  return {
    byType: {
      reasoning: notServed('reasoning'),
      interaction: notServed('interaction'),
      prediction: notServed('prediction'),
      recall: notServed('recall'),
      computation: createComputationKind({ sandbox, types, schemas }),
      workflow: notServed('workflow'),
    },
    async close() {
      await Promise.all([sandbox.close(), types.close()]);
    },
  };
}

/** A type that this version lists and cannot save. */
function notServed(type: DefinitionType): Kind {
  const refuse = (): never => {
    throw unavailable(`This version of Cuebook cannot save or run definitions of type ${type} yet; computation works.`);
  };
  return { type, check: async () => refuse(), start: async () => refuse() };
}
