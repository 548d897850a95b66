import type { JsonObject } from '../../../shared/json.ts';
import { type Places, placesIn } from './places.ts';
import { TEXT_JOBS } from '../text-work/jobs.ts';
import { readSource } from './read-source.job.ts';
import { createSources, type Sources } from './sources.ts';

/** Sources that are all read here and now. */
export function createTestSources(): Sources {
  return createSources({
    carryOut: async (name, source) => (await TEXT_JOBS[name].load())(source),
  });
}

/** What a source that can be read holds. */
export function readTestSource(source: string): { value: JsonObject; places: Places } {
  const read = readSource({ source, otherwise: 'The document is no object.' });
  if (!read.ok) throw new Error(read.issues[0]?.detail);
  return { value: read.value, places: placesIn(read.places) };
}
