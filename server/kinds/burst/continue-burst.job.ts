// A burst in a worker of the sandbox.
import type { ModuleFunction } from '../../lib/sandbox/index.ts';
import type { SchemaChecker } from '../../lib/schemas/index.ts';
import { continueBurst } from './continue-burst.ts';
import {
  type BurstJob,
  type Continued,
  type CreateDecide,
  type Decide,
  type EndPure,
  monotonicMs,
  NeedsMainThread,
  type PureFunction,
  type SentAt,
  type WorkerDecider,
} from './model.ts';

export interface SentBurst {
  job: BurstJob;
  decider: WorkerDecider;
  sent: SentAt;
}

const needsMainThread = (): Promise<never> => Promise.reject(new NeedsMainThread());

let schemas: SchemaChecker | undefined;

/** Loaded with the first schema: most functions and steps have none. */
const lightSchemas: Pick<SchemaChecker, 'compileSchema'> = {
  compileSchema(schema, root) {
    const compiled = async () => {
      const { createSchemaChecker } = await import('../../lib/schemas/index.ts');
      schemas ??= createSchemaChecker({
        checkValues: needsMainThread,
        checkDocument: needsMainThread,
        close: async () => {},
      });
      return schemas.compileSchema(schema, root);
    };
    return {
      check: async (value, pointer) => (await compiled()).check(value, pointer),
      checkEach: async (values, pointer) => (await compiled()).checkEach(values, pointer),
    };
  },
};

export const continueBurstJob: ModuleFunction<SentBurst, Continued> = async ({ job, decider, sent }, programs) => {
  const now = (): number => Math.floor(sent.now + monotonicMs() - sent.at);
  const endsAt = performance.now() + job.leftMs - (monotonicMs() - sent.at);
  return continueBurst(job, {
    now,
    leftMs: () => endsAt - performance.now(),
    decide: await deciderOf(decider),
    schemas: lightSchemas,
    async execute(called, { input }, start) {
      const end = await endPureOf(called);
      const run = (program: Parameters<typeof programs.run>[0]) => programs.run(program, endsAt);
      return end({ ...called, input, ...start }, { run }, lightSchemas);
    },
  });
};

async function deciderOf({ module, given }: WorkerDecider): Promise<Decide> {
  const { createDecide } = (await import(module)) as { createDecide: CreateDecide };
  return createDecide(given as never, lightSchemas);
}

async function endPureOf({ module }: PureFunction): Promise<EndPure> {
  const { endPure } = (await import(module)) as { endPure: EndPure };
  return endPure;
}
