// How a run ends that carried a program out.
import { countIssues } from '../../shared/issues.ts';
import type { Json, JsonObject } from '../../shared/json.ts';
import { canonicalJson } from '../lib/canonical-json.ts';
import { moreIssuesWords, unavailable } from '../lib/rejection.ts';
import type { RunDone, RunStopped } from '../lib/sandbox/index.ts';
import type { SchemaChecker } from '../lib/schemas/index.ts';
import { sha256 } from '../lib/sha256.ts';
import type { Ending } from './run.ts';

/** What chance begins with: the same input gives the same. @param inputSha256 the digest of its canonical JSON */
export function seedOf(input: Json, inputSha256 = sha256(canonicalJson(input))): number {
  return Number.parseInt(inputSha256.slice(0, 8), 16);
}

/**
 * @param own what the record holds beside what the program printed
 * @throws Refused `unavailable` when no worker became free
 */
export async function endProgram(
  ran: RunDone | RunStopped | 'busy' | 'dropped',
  outputSchema: JsonObject | undefined,
  schemas: Pick<SchemaChecker, 'compileSchema'>,
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
  schemas: Pick<SchemaChecker, 'compileSchema'>,
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
