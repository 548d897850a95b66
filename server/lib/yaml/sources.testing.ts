import type { JsonObject } from '../../../shared/json.ts';
import { type SourcePositions, positionsIn } from './positions.ts';
import { readSource } from './read-source.job.ts';
import { createSources, type Sources } from './index.ts';

/** Sources that are all read here and now. */
export function createTestSources(): Sources {
  return createSources({
    async run({ module, name }, source) {
      const { [name]: read } = (await import(module.href)) as Record<string, typeof readSource>;
      if (read === undefined) throw new Error(`There is no ${name}.`);
      return read(source);
    },
  });
}

/** What a source that can be read holds. */
export function readTestSource(source: string): { value: JsonObject; positions: SourcePositions } {
  const read = readSource({ source, otherwise: 'The document is not an object.' });
  if (!read.ok) throw new Error(read.issues[0]?.detail);
  return { value: read.value, positions: positionsIn(read.positions) };
}
