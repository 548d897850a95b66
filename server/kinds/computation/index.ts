// Computations: programs that turn an input into an output within one request.
import { LIMITS } from '../../../shared/limits.ts';
import { declarationsOf, type ProgramForm } from '../../lib/sandbox/index.ts';
import { ownerIn } from '../../lib/worker-pool/index.ts';
import { overviewOf } from '../document/index.ts';
import type { Checked } from '../checked.ts';
import type { Kind } from '../kind.ts';
import type { Ending } from '../run.ts';
import { inSource, checkProgram, type ProgramRules, type ProgramTools } from '../program/index.ts';
import { endProgram, seedOf } from '../program-ending.ts';

const FORM: ProgramForm = {
  exports: ['default', 'description', 'input', 'output', 'examples', 'expose'],
  parameters: { default: ['Input'] },
  keepsView: false,
};
const RULES: ProgramRules = {
  functions: {
    default: 'A program needs `export default function (input) { ... }`, which returns the output.',
  },
  values: {},
  hasEvents: false,
};
const DOES = '**Does** Runs a program in its own sandbox, without network and files. It ends within its request.';

export function createComputationKind(tools: ProgramTools): Kind {
  const { sandbox, types, schemas } = tools;
  return {
    type: 'computation',
    traits: { endsAtOnce: true },
    pureModule: new URL('./end.job.ts', import.meta.url).href,
    async check(source): Promise<Checked> {
      const found = await checkProgram(source, FORM, RULES, tools);
      if (!found.ok) return found;
      const { looked, exports, warnings } = found;
      const { own: _own, ...declared } = exports;
      const { inputSchema, outputSchema } = exports;
      const typed = { Input: inputSchema, Output: outputSchema };
      const mistyped = await types.check(source, looked, typed);
      return {
        ok: true,
        document: {
          ...declared,
          overview: overviewOf(exports, [DOES]),
          references: [],
          declarations: declarationsOf(typed),
          warnings: [...warnings, ...mistyped].map(inSource),
        },
      };
    },
    async start(run): Promise<Ending> {
      const job = {
        source: run.source,
        input: JSON.stringify(run.input),
        now: run.startedAt,
        seed: seedOf(run.input),
        outputBytes: LIMITS.computationOutputBytes,
      };
      const turn = { owner: ownerIn(run, `computation/${run.name}`), signal: run.signal };
      return endProgram(await sandbox.run(job, turn), run.outputSchema, schemas);
    },
  };
}
