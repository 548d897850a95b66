// The check that every program has when it is saved: its text, its top level, and what it exports.
import { countIssues, type SourceIssue } from '../../../shared/issues.ts';
import type { Json, JsonObject } from '../../../shared/json.ts';
import { sha256 } from '../../kernel/contents/index.ts';
import { canonicalJson } from '../../lib/canonical-json.ts';
import { moreIssuesWords, unavailable } from '../../lib/rejection.ts';
import type {
  CheckDone,
  ProgramForm,
  ProgramIssue,
  RunDone,
  RunStopped,
  Sandbox,
  TypeChecker,
} from '../../lib/sandbox/index.ts';
import type { SchemaChecker } from '../../lib/schemas/index.ts';
import type { Ending } from '../run.ts';
import { type ProgramExports, type ProgramRules, readExports } from './exports.ts';

export type { ProgramRules } from './exports.ts';

/** What programs are checked and carried out with. */
export interface ProgramTools {
  sandbox: Sandbox;
  types: TypeChecker;
  schemas: SchemaChecker;
}

export type ProgramCheck =
  | { ok: false; issues: readonly SourceIssue[] }
  | { ok: true; looked: CheckDone; exports: ProgramExports; warnings: readonly ProgramIssue[] };

/** @throws Refused `unavailable` when no checker is ready */
export async function checkProgram(
  source: string,
  form: ProgramForm,
  rules: ProgramRules,
  { sandbox, types, schemas }: ProgramTools,
): Promise<ProgramCheck> {
  const looked = await sandbox.check(source, form);
  if (looked === 'busy') {
    throw unavailable('No program checker is available; try again in a moment.', { retryAfter: 2 });
  }
  if (looked === undefined) return refused([TOO_SLOW]);
  if (looked.isUnreadable === true) {
    const told = await types.checkSyntax(source);
    return refused(told.length === 0 ? looked.issues : told);
  }
  if (looked.issues.length > 0) return refused(looked.issues);
  const { exports, issues, warnings } = await readExports(looked, rules, schemas);
  return issues.length > 0 ? refused(issues) : { ok: true, looked, exports, warnings };
}

const TOO_SLOW: ProgramIssue = {
  line: 1,
  column: 1,
  detail: 'Checking the program takes longer than two seconds; reduce the work at its top level.',
};

function refused(issues: readonly ProgramIssue[]): ProgramCheck {
  return { ok: false, issues: issues.map(inSource) };
}

export function inSource({ line, column, detail }: ProgramIssue): SourceIssue {
  return { pointer: '/source', line, column, detail: `Line ${line}, column ${column}: ${detail}` };
}

// How a run ends that carried a program out.

/** What chance begins with: the same input gives the same. */
export function seedOf(input: Json): number {
  return Number.parseInt(sha256(canonicalJson(input)).slice(0, 8), 16);
}

/**
 * @param own what the record holds beside what the program printed
 * @throws Refused `unavailable` when no worker came free
 */
export async function endProgram(
  ran: RunDone | RunStopped | 'busy' | 'dropped',
  outputSchema: JsonObject | undefined,
  schemas: SchemaChecker,
  own: JsonObject = {},
): Promise<Ending> {
  // The service stops: the ending is for those who read the run later.
  if (ran === 'dropped') return { status: 'failed', detail: 'interrupted' };
  if (ran === 'busy') {
    throw unavailable('All workers are busy; run it again in a moment.', { retryAfter: 5 });
  }
  const record = { ...own, ...recordOf(ran) };
  if (ran.kind === 'stopped') return unworkable(ran.detail, record);
  const output = JSON.parse(ran.output) as Json;
  const misfit = await outputIssue(outputSchema, output, schemas);
  return misfit === undefined ? { status: 'succeeded', output, record } : unworkable(misfit, record);
}

async function outputIssue(
  outputSchema: JsonObject | undefined,
  output: Json,
  schemas: SchemaChecker,
): Promise<string | undefined> {
  if (outputSchema === undefined) return undefined;
  const [issue, ...more] = await schemas.compileSchema(outputSchema, 'The output').check(output, '');
  if (issue === undefined) return undefined;
  const others = more.length === 0 ? '' : ` ${moreIssuesWords(countIssues(more))}`;
  return `The program's output does not match its own schema: ${issue.detail}${others}`;
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
