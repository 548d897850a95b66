import { describe, expect, onTestFinished, test } from 'vitest';
import { createTextWork } from '../text-work/index.ts';
import { createSources, type Sources, type SourceWork } from './index.ts';

const OTHERWISE = 'The document is an object.';
const SMALL = 'a: 1\nb: [1, 2]\n';
const LARGE = Array.from({ length: 2000 }, (_, index) => `k${index}: ${index}\n`).join('');

/** Real workers, and the jobs that they were given. */
function given(answer?: 'unfinished'): { sources: Sources; jobs: string[] } {
  const real = createTextWork();
  onTestFinished(() => real.close());
  const jobs: string[] = [];
  const textWork: SourceWork = {
    run(reader, source) {
      jobs.push(reader.name);
      return answer === undefined ? real.run(reader, source) : Promise.resolve(answer);
    },
  };
  return { sources: createSources(textWork), jobs };
}

describe('a source that is small', () => {
  test('is read at once', async () => {
    const { sources, jobs } = given();
    expect(await sources.read({ source: SMALL, otherwise: OTHERWISE })).toMatchObject({ ok: true });
    expect(await sources.valueOf('c: 3')).toEqual({ c: 3 });
    expect(jobs).toEqual([]);
  });
});

describe('a source that is large, or made of signs alone', () => {
  test('is read in a worker, with the places of its values', async () => {
    const { sources, jobs } = given();
    const read = await sources.read({ source: LARGE, otherwise: OTHERWISE });
    if (!read.ok) throw new Error(read.issues[0]?.detail);
    expect(read.value['k1999']).toBe(1999);
    expect(read.positions.positionOf('/k1999')).toEqual({ line: 2000, column: 8 });
    expect(await sources.read({ source: '['.repeat(1000), otherwise: OTHERWISE })).toMatchObject({ ok: false });
    expect(jobs).toEqual(['readSource', 'readSource']);
  });

  test('that was checked is not read again when it is used', async () => {
    const { sources, jobs } = given();
    await sources.read({ source: LARGE, otherwise: OTHERWISE });
    expect(await sources.valueOf(LARGE)).toMatchObject({ k0: 0 });
    expect(jobs).toEqual(['readSource']);
  });

  test('is refused where reading it takes too long', async () => {
    const { sources } = given('unfinished');
    const read = await sources.read({ source: LARGE, otherwise: OTHERWISE });
    expect(read).toMatchObject({ ok: false, issues: [{ detail: expect.stringContaining('takes too long') }] });
  });
});

test('the sources that were used last are kept, as many as have 2 MiB together', async () => {
  const { sources, jobs } = given();
  const sourceOf = (index: number): string => `k${index}: "${'x'.repeat(60_000)}"`;
  for (let index = 0; index < 36; index += 1) await sources.valueOf(sourceOf(index));
  jobs.length = 0;
  await sources.valueOf(sourceOf(35));
  expect(jobs).toEqual([]);
  await sources.valueOf(sourceOf(0));
  expect(jobs).toEqual(['readSource']);
});
