// The difference between two texts, as the hunks of a unified diff.
import { structuredPatch } from 'diff';

/** Lines of context around a change. */
const CONTEXT = 2;
/** The most changed lines that are compared, in about a second; beyond them, all lines are removed and all are added. */
const MOST_CHANGED = 2000;

/** Empty when the texts are the same. */
export function lineDiff(before: string, after: string): string[] {
  // Without a newline at the end of both texts, one is added to each: a newline that only one of them has is a line.
  const end = before.endsWith('\n') && after.endsWith('\n') ? '' : '\n';
  const [old, fresh] = [before + end, after + end];
  const options = { context: CONTEXT, maxEditLength: MOST_CHANGED };
  const patch = structuredPatch('', '', old, fresh, undefined, undefined, options);
  if (patch === undefined) return ['@@ -1 +1 @@', ...markedLines('-', old), ...markedLines('+', fresh)];
  return patch.hunks.flatMap(({ oldStart, newStart, lines }) => [`@@ -${oldStart} +${newStart} @@`, ...lines]);
}

function markedLines(mark: '-' | '+', text: string): string[] {
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => `${mark}${line}`);
}
