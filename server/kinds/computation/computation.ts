// Computations: programs that turn an input into an output within one request.
import type { SourceIssue } from '../../../shared/issues.ts';
import type { Json, JsonObject } from '../../../shared/json.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { MOST_ISSUES } from '../../kernel/bounded-issues.ts';
import { canonicalJson } from '../../kernel/canonical-json.ts';
import { sha256 } from '../../kernel/contents/index.ts';
import type { ProgramIssue, RunDone, RunStopped, Sandbox, TypeChecker } from '../../kernel/programs/index.ts';
import { moreIssuesWords, unavailable } from '../../kernel/rejection.ts';
import type { SchemaChecker } from '../../kernel/schemas/index.ts';
import type { Checked, Ending, Kind, RunRequest } from '../kind.ts';
import { readExports } from './exports.ts';
import { overviewOf } from './overview.ts';

export interface ComputationOptions {
  sandbox: Sandbox;
  types: TypeChecker;
  schemas: SchemaChecker;
}

const EXPORTS = ['default', 'description', 'input', 'output', 'examples', 'expose'];

export function createComputationKind({ sandbox, types, schemas }: ComputationOptions): Kind {
  return {
    type: 'computation',
    async check(source): Promise<Checked> {
      const looked = await sandbox.check(source, EXPORTS);
      if (looked === 'busy') {
        throw unavailable('No checker of programs is ready; send the same again shortly.', { retryAfter: 2 });
      }
      if (looked === undefined) {
        return refused([
          {
            line: 1,
            column: 1,
            detail: 'Looking at the program takes longer than two seconds; make its top level do less.',
          },
        ]);
      }
      if (looked.isUnreadable === true) {
        const told = await types.checkSyntax(source);
        return refused(told.length === 0 ? looked.issues : told);
      }
      if (looked.issues.length > 0) return refused(looked.issues);
      const { exports, issues, warnings } = await readExports(looked, schemas);
      if (issues.length > 0) return refused(issues);
      const { inputSchema, outputSchema } = exports;
      const mistyped = await types.check(source, looked, { Input: inputSchema, Output: outputSchema });
      return {
        ok: true,
        document: {
          ...exports,
          overview: overviewOf(exports),
          references: [],
          warnings: [...warnings, ...mistyped].map(inSource),
        },
      };
    },
    async start(run): Promise<Ending> {
      const inputDigest = sha256(canonicalJson(run.input));
      const job = {
        source: run.source,
        input: JSON.stringify(run.input),
        now: run.startedAt,
        seed: Number.parseInt(inputDigest.slice(0, 8), 16),
        outputBytes: LIMITS.computationOutputBytes,
      };
      const ran = await sandbox.run(job, run.signal);
      // Whoever asked is gone: the ending is for those who read the run later.
      if (ran === 'dropped') return { status: 'failed', detail: 'interrupted' };
      if (ran === 'busy') {
        throw unavailable('Other programs keep every worker; run it again shortly.', { retryAfter: 5 });
      }
      const record = recordOf(ran);
      if (ran.kind === 'stopped') return unworkable(ran.detail, record);
      const output = JSON.parse(ran.output) as Json;
      const misfit = await outputIssue(run, output, schemas);
      return misfit === undefined ? { status: 'succeeded', output, record } : unworkable(misfit, record);
    },
  };
}

async function outputIssue(
  { outputSchema }: RunRequest,
  output: Json,
  schemas: SchemaChecker,
): Promise<string | undefined> {
  if (outputSchema === undefined) return undefined;
  const [issue, ...more] = await schemas.compileSchema(outputSchema, 'The output').check(output, '');
  if (issue === undefined) return undefined;
  const others =
    more.length === 0 ? '' : ` ${moreIssuesWords(more.length, more.length === MOST_ISSUES ? 'at least ' : '')}`;
  return `The program's output does not fit its own schema: ${issue.detail}${others}`;
}

function recordOf({ console, consoleTruncated }: RunDone | RunStopped): JsonObject {
  return {
    ...(console.length === 0 ? {} : { console }),
    ...(consoleTruncated ? { console_truncated: true } : {}),
  };
}

function unworkable(detail: string, record: JsonObject): Ending {
  return { status: 'rejected', rejection: { reason: 'conflict', kind: 'unworkable', detail }, record };
}

function refused(issues: readonly ProgramIssue[]): Checked {
  return { ok: false, issues: issues.map(inSource) };
}

function inSource({ line, column, detail }: ProgramIssue): SourceIssue {
  return { pointer: '/source', line, column, detail: `Line ${line}, column ${column}: ${detail}` };
}
