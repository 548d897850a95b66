// Reads sources of definitions: small ones at once, the others in a worker.
//
// 1. The main thread parses no source that takes it more than some 10 ms, whoever wrote it.
// 2. Sources that were read last are kept as plain data: a definition that is used often is parsed once.
import { LRUCache } from 'lru-cache';
import type { SourceIssue } from '../../../shared/issues.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { type TextJob, textJob } from '../text-work/index.ts';
import type { PlaybookRef } from '../worker-pool/index.ts';
import { type SourcePositions, positionsIn } from './positions.ts';
import type { ValueWarning } from './value-warnings.ts';
import { readSource, type SourceJob, type SourceReading } from './read-source.job.ts';

export { createFindings, type Findings, MOST_FINDINGS } from './findings.ts';
export { type SourcePositions as Places, positionsIn as placesIn } from './positions.ts';
export { MERGE_KEY, type ValueWarning } from './value-warnings.ts';
export { readSource, type SourceJob, type SourceReading } from './read-source.job.ts';

export type ReadSource =
  | { ok: true; value: JsonObject; positions: SourcePositions; warnings: readonly ValueWarning[] }
  | { ok: false; issues: readonly SourceIssue[] };

/** A job of text work that reads a source. */
export type SourceReader = TextJob<SourceJob, SourceReading>;

/** What carries it out. */
export interface SourceWork {
  run(reader: SourceReader, source: SourceJob, playbookKey?: PlaybookRef): Promise<SourceReading | 'unfinished'>;
}

/** 65,536 bytes of YAML take some 300 ms. */
export const READ_DEADLINE_MS = 15_000;
export const READ_SOURCE: SourceReader = textJob<typeof readSource>({
  module: new URL('./read-source.job.ts', import.meta.url),
  name: 'readSource',
  deadlineMs: READ_DEADLINE_MS,
});

interface ReadOptions {
  reader?: SourceReader;
  playbookKey?: PlaybookRef;
}

export interface Sources {
  /**
   * Reads a source that is to be checked.
   * @param options.reader one that looks at more than YAML, and is always a worker's
   * @param options.playbookKey the playbook that it runs for
   * @throws Refused `unavailable` when no worker is free in time
   */
  read(source: SourceJob, options?: ReadOptions): Promise<ReadSource>;
  /**
   * The document of a version that was checked when it was saved.
   * @throws Refused `unavailable` as above
   */
  valueOf(source: string): Promise<JsonObject>;
}

/** Most characters of a small source, and most among them that begin something. */
const MOST_CHARACTERS = 16_384;
const MOST_SIGNS = 800;

const SIGNS = new Set(Buffer.from('\n,:-?[]{}&*!|>"\'%@`#'));
/** Characters of all sources that are kept. */
const MOST_KEPT = 2 ** 21;
const UNFINISHED = 'Reading the document takes too long; make it smaller, or nest less.';

export function createSources(textWork: SourceWork): Sources {
  const kept = new LRUCache<string, JsonObject>({
    maxSize: MOST_KEPT,
    // An empty source is no definition.
    sizeCalculation: (_value, source) => Math.max(1, source.length),
  });

  async function read(source: SourceJob, { reader, playbookKey }: ReadOptions = {}): Promise<SourceReading> {
    const reading =
      reader === undefined && isSmall(source.source)
        ? readSource(source)
        : await textWork.run(reader ?? READ_SOURCE, source, playbookKey);
    if (reading === 'unfinished') return refused(UNFINISHED);
    if (reading.ok) kept.set(source.source, reading.value);
    return reading;
  }

  return {
    async read(source, readOptions) {
      const reading = await read(source, readOptions);
      return reading.ok ? { ...reading, positions: positionsIn(reading.positions) } : reading;
    },
    async valueOf(source) {
      const known = kept.get(source);
      if (known !== undefined) return known;
      const reading = await read({ source, otherwise: '' }, undefined);
      if (!reading.ok) throw new Error(`A saved document cannot be read: ${reading.issues[0]?.detail}`);
      return reading.value;
    },
  };
}

function refused(detail: string): SourceReading {
  return { ok: false, issues: [{ pointer: '/source', line: 1, column: 1, detail }] };
}

/** Whether a source is read in some 10 ms at most, whatever it is. Takes time in proportion to what it looks at. */
function isSmall(source: string): boolean {
  if (source.length > MOST_CHARACTERS) return false;
  let signs = 0;
  for (let at = 0; at < source.length && signs <= MOST_SIGNS; at += 1) {
    if (SIGNS.has(source.charCodeAt(at))) signs += 1;
  }
  return signs <= MOST_SIGNS;
}
