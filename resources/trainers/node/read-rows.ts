// The training rows of a build, as they stream: CSV with the columns series, origin, center, scale, weight, then in groups
// numbered from 1: x context, m which of it is observed, t time of context and horizon, p past and f future covariates,
// s static codes, y targets.

/** The number of columns in each group. */
export interface Layout {
  context: number;
  horizon: number;
  /** Time features of a period. */
  time: number;
  /** Covariates that are known for future periods. */
  known: number;
}

export interface Row {
  /** The label of the last known period. Labels of later periods sort later. */
  origin: string;
  weight: number;
  /** What `featureNames` counts, in its order. */
  features: Float32Array;
  /** NaN is missing. */
  targets: Float32Array;
}

/** Context, which of it is missing (-1), time of the first step, future covariates. */
export function featureCount({ context, horizon, time, known }: Layout): number {
  return 2 * context + time + horizon * known;
}

export async function readRows(chunks: AsyncIterable<Uint8Array>): Promise<{ layout: Layout; rows: Row[] }> {
  let layout: Layout | undefined;
  let groups = new Map<string, number>();
  const rows: Row[] = [];
  for await (const record of records(chunks)) {
    const cells = cellsOf(record);
    if (layout === undefined) {
      groups = firstColumns(cells);
      layout = layoutOf(cells);
    } else rows.push(rowOf(cells, layout, groups));
  }
  if (layout === undefined) throw new Error('The training rows have no header.');
  return { layout, rows };
}

/** Lines, without the line breaks inside of quotes. */
async function* records(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (let line = 0; line < lines.length; line += 1) {
      let record = lines[line] ?? '';
      while (isOpen(record) && line + 1 < lines.length) {
        line += 1;
        record += `\n${lines[line]}`;
      }
      if (isOpen(record)) rest = `${record}\n${rest}`;
      else yield record;
    }
  }
  if (rest !== '') yield rest;
}

function isOpen(record: string): boolean {
  return record.split('"').length % 2 === 0;
}

/** Only the name of a series can be quoted, and it is not needed. */
function cellsOf(record: string): string[] {
  return record
    .replace(/^"(?:[^"]|"")*"/, '')
    .trimEnd()
    .split(',');
}

function firstColumns(header: readonly string[]): Map<string, number> {
  return new Map(header.flatMap((name, at) => (/^(weight|origin|[a-z]1)$/.test(name) ? [[name, at] as const] : [])));
}

function layoutOf(header: readonly string[]): Layout {
  const count = (letter: string): number => header.filter((name) => new RegExp(`^${letter}\\d+$`).test(name)).length;
  const [context, horizon] = [count('x'), count('y')];
  if (context === 0 || horizon === 0) throw new Error('The training rows have no columns x1 or y1.');
  return { context, horizon, time: count('t') / (context + horizon), known: count('f') / horizon };
}

function rowOf(cells: readonly string[], { context, horizon, time, known }: Layout, first: Map<string, number>): Row {
  const numbers = (name: string, length: number, skip = 0): number[] => {
    const from = (first.get(name) ?? 0) + skip;
    return cells.slice(from, from + length).map((cell) => (cell === '' ? Number.NaN : Number(cell)));
  };
  const features = [
    ...numbers('x1', context),
    ...numbers('m1', context).map((observed) => observed - 1),
    ...numbers('t1', time, context * time),
    ...numbers('f1', horizon * known),
  ];
  return {
    origin: cells[first.get('origin') ?? 1] ?? '',
    weight: numbers('weight', 1)[0] ?? 0,
    features: Float32Array.from(features),
    targets: Float32Array.from(numbers('y1', horizon)),
  };
}
