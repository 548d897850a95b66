// The check that every program has when it is saved: its text, its top level, and what it exports.
import type { SourceIssue } from '../../../shared/issues.ts';
import { unavailable } from '../../lib/rejection.ts';
import type { CheckDone, ProgramForm, ProgramIssue, Sandbox, TypeChecker } from '../../lib/sandbox/index.ts';
import type { SchemaChecker } from '../../lib/schemas/index.ts';
import { type ProgramExports, type ProgramRules, readExports } from './exports.ts';

export type { ProgramRules } from './exports.ts';

/** What programs are checked and executed with. */
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
    const syntaxIssues = await types.checkSyntax(source);
    return refused(syntaxIssues.length === 0 ? looked.issues : syntaxIssues);
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
