// Everything that a command writes. Text may come from untrusted programs, playbooks and services, so characters that
// control a terminal are escaped as in JSON.
import { isJsonObject, type JsonObject } from '../../../shared/json.ts';
import { harmless } from '../../lib/harmless.ts';

export { harmless };

/** Writes a result to stdout: the data as JSON if the caller wants JSON, otherwise the text. */
export function show(options: { json?: boolean | undefined }, data: unknown, words: () => string): void {
  process.stdout.write(`${harmless(options.json === true ? JSON.stringify(data) : words())}\n`);
}

/** Writes a progress message to stderr. */
export function progress(sentence: string): void {
  process.stderr.write(`${harmless(sentence)}\n`);
}

/** One of a problem document's `errors`; `pointer` is a JSON Pointer into the request. */
export interface ProblemIssue {
  pointer: string;
  detail: string;
}

/** The entries of a problem document's `errors`. */
function issuesOf({ errors }: JsonObject): ProblemIssue[] {
  const issues = Array.isArray(errors) ? errors.filter(isJsonObject) : [];
  return issues.map(({ pointer, detail }) => ({ pointer: String(pointer ?? ''), detail: String(detail ?? '') }));
}

/**
 * A problem as text: the detail, then each of its `errors`. A detail that only repeats the first error is left out.
 * @param wordsOf formats one error
 */
export function problemWords(problem: JsonObject, wordsOf: (issue: ProblemIssue) => string = pointerFirst): string {
  const { title, detail } = problem;
  const head = String(detail ?? title ?? 'The service refused the request without a reason.');
  const issues = issuesOf(problem);
  const [first] = issues;
  if (first === undefined) return head;
  if (!head.startsWith(first.detail)) return [head, ...issues.map((issue) => `  ${wordsOf(issue)}`)].join('\n');
  return issues.map(wordsOf).join('\n');
}

function pointerFirst({ pointer, detail }: ProblemIssue): string {
  return pointer === '' ? detail : `${pointer}: ${detail}`;
}
