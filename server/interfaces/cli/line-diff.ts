// The difference between two texts, as the hunks of a unified diff.

interface Line {
  mark: ' ' | '-' | '+';
  text: string;
}

/** Lines of context around a change. */
const CONTEXT = 2;
/** The most pairs of lines that are compared; a larger difference is shown as all lines removed, all lines added. */
const MOST_COMPARED = 4_000_000;

/** Empty when the texts are the same. */
export function lineDiff(before: string, after: string): string[] {
  if (before === after) return [];
  const areEnded = before.endsWith('\n') && after.endsWith('\n');
  const linesOf = (text: string): string[] => (areEnded ? text.slice(0, -1) : text).split('\n');
  return hunks(compare(linesOf(before), linesOf(after)));
}

function compare(before: readonly string[], after: readonly string[]): Line[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end))
    end += 1;
  const same = (text: string): Line => ({ mark: ' ', text });
  return [
    ...before.slice(0, start).map(same),
    ...changedPart(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(same),
  ];
}

/** Uses the longest common subsequence, unless the texts are too large for it. */
function changedPart(before: readonly string[], after: readonly string[]): Line[] {
  const out = before.map((text): Line => ({ mark: '-', text }));
  const into = after.map((text): Line => ({ mark: '+', text }));
  if (before.length * after.length > MOST_COMPARED) return [...out, ...into];
  const width = after.length + 1;
  const longest = new Uint32Array((before.length + 1) * width);
  const at = (i: number, j: number): number => longest[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      longest[i * width + j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < before.length && j < after.length) {
    const text = before[i] ?? '';
    if (text === after[j]) {
      lines.push({ mark: ' ', text });
      i += 1;
      j += 1;
    } else if (at(i + 1, j) >= at(i, j + 1)) lines.push(...out.slice(i, (i += 1)));
    else lines.push(...into.slice(j, (j += 1)));
  }
  return [...lines, ...out.slice(i), ...into.slice(j)];
}

function hunks(lines: readonly Line[]): string[] {
  const isShown = lines.map(() => false);
  lines.forEach(({ mark }, index) => {
    if (mark !== ' ') isShown.fill(true, Math.max(0, index - CONTEXT), index + CONTEXT + 1);
  });
  const shown: string[] = [];
  let [old, fresh] = [1, 1];
  lines.forEach(({ mark, text }, index) => {
    if (isShown[index] === true) {
      if (isShown[index - 1] !== true) shown.push(`@@ -${old} +${fresh} @@`);
      shown.push(`${mark}${text}`);
    }
    if (mark !== '+') old += 1;
    if (mark !== '-') fresh += 1;
  });
  return shown;
}
