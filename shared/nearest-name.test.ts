import { expect, test } from 'vitest';
import { nearestName } from './nearest-name.ts';

test.each([
  ['titel', ['title', 'tile', 'plan'], 'title'],
  ['Plan', ['title', 'plan'], 'plan'],
  ['properites', ['properties', 'prefixItems'], 'properties'],
  ['customer_id', ['customerId', 'customer'], 'customerId'],
  ['id', ['if', 'in'], undefined],
  ['unlike', ['title', 'plan'], undefined],
  ['', ['a', 'title'], undefined],
  ['x'.repeat(100_000), ['title', 'x'.repeat(64)], 'x'.repeat(64)],
  ['title', [], undefined],
  ['tilte', ['title'], 'title'],
  ['tite', ['title', 'tilde'], 'title'],
  ['plain', ['plan', 'plane'], 'plan'],
  ['pln', ['plan'], 'plan'],
])('%.20s among %j', (word, names, nearest) => {
  expect(nearestName(word, names)).toBe(nearest);
});
