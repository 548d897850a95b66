import { describe, expect, test } from 'vitest';
import type { Issue } from '../../shared/issues.ts';
import { invalidInput, unavailable } from './rejection.ts';

const issues = (count: number): Issue[] =>
  Array.from({ length: count }, (_, n) => ({ pointer: `/items/${n}`, detail: `Item ${n} is wrong.` }));

describe('a refusal for an input', () => {
  test('reports all that is wrong up to fifty issues', () => {
    const { rejection } = invalidInput(issues(50));
    expect(rejection.issues).toEqual(issues(50));
    expect(rejection.detail).toBe('Item 0 is wrong. There are 49 more.');
  });

  test('of more it reports fifty, and how many more there are, at the first of those', () => {
    const { rejection } = invalidInput(issues(3000));
    expect(rejection.issues?.slice(0, 50)).toEqual(issues(50));
    expect(rejection.issues?.slice(50)).toEqual([
      { pointer: '/items/50', detail: expect.stringMatching(/^There are 2950 more issues/), standsFor: 2950 },
    ]);
    expect(rejection.detail).toContain('There are 2999 more.');
  });

  test('a list that was cut before stays as it is', () => {
    const cut = invalidInput(issues(3000)).rejection.issues ?? [];
    expect(invalidInput(cut).rejection).toMatchObject({ issues: cut, detail: expect.stringContaining('2999 more.') });
  });
});

test('its sentences escape what would change how they are read, and keep lines', () => {
  const name = 'a\u001b[2J\u202eb';
  const shown = 'a\\u001b[2J\\u202eb';
  expect(unavailable(`The tool ${name}\nfailed.`).message).toBe(`The tool ${shown}\nfailed.`);
  const { rejection, message } = invalidInput([
    { pointer: `/${name}`, detail: `${name} is unknown.` },
    { pointer: '', detail: 'Ende Größe 👋' },
  ]);
  expect(message).toBe(`${shown} is unknown. There is one more.`);
  expect(rejection.issues).toEqual([
    { pointer: `/${name}`, detail: `${shown} is unknown.` },
    { pointer: '', detail: 'Ende Größe 👋' },
  ]);
});
