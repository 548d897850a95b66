// The work of checking how a document uses others is bounded, however the document is written.
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../../shared/json.ts';
import { conflict } from '../../../../lib/rejection.ts';
import { misspellingsOf } from '../../../declarations.ts';
import type { FitSchema } from '../check-context.ts';
import { createChecking } from '../checking.testing.ts';

const { checked } = createChecking();
const CLOSED: JsonObject = { type: 'object', properties: { a: {} }, additionalProperties: false };
const NO_EVENTS = async () => ({ emits: [], receives: [], emitsAny: false, receivesAny: false });
const schemasOf = async () => ({ input: CLOSED, output: CLOSED });

const steps = (count: number, step: (index: number) => string): string =>
  `do:\n${Array.from({ length: count }, (_, index) => `  - s${index}: ${step(index)}\n`).join('')}`;

function counted(inner: FitSchema): { fitSchema: FitSchema; values: number[] } {
  const values: number[] = [];
  return {
    values,
    fitSchema: (schema, some) => {
      values.push(some.length);
      return inner(schema, some);
    },
  };
}

const FITS: FitSchema = async (_, values) => values.map(() => []);

test('the calls of a definition are checked together', async () => {
  const { fitSchema, values } = counted(FITS);
  const { checkUses } = await checked(
    steps(500, (index) => `{ call: computation/fun, with: { a: ${index} } }`),
    {
      fitSchema,
    },
  );
  await checkUses({ schemasOf, events: NO_EVENTS });
  expect(values).toEqual([500]);
});

test('the schemas of at most 100 definitions are read, each once', async () => {
  const read: string[] = [];
  const { checkUses } = await checked(steps(400, (index) => `{ call: computation/fun-${index % 200} }`));
  await checkUses({
    async schemasOf(type, name) {
      read.push(`${type}/${name}`);
      return undefined;
    },
    events: NO_EVENTS,
  });
  expect(read).toHaveLength(100);
  expect(new Set(read).size).toBe(100);
});

test('values that share their parts are not written out', async () => {
  const { fitSchema, values } = counted(FITS);
  const doubled = steps(60, () => `{ set: { a: '\${ . }', b: '\${ . }' } }`);
  const { checkUses } = await checked(`${doubled}  - call: { call: computation/fun, with: '\${ { a: . } }' }\n`, {
    fitSchema,
  });
  expect(await checkUses({ schemasOf, events: NO_EVENTS })).toEqual([]);
  expect(values).toEqual([]);
});

test('a schema that takes too long to check leads to no warning, and to no refusal', async () => {
  const { fitSchema, values } = counted(async () => {
    throw conflict('It takes too long.', 'unworkable');
  });
  const { checkUses } = await checked(
    steps(50, (index) => `{ call: computation/fun-${index} }`),
    { fitSchema },
  );
  expect(await checkUses({ schemasOf, events: NO_EVENTS })).toEqual([]);
  expect(values).toEqual([1]);
});

test('expressions that are nested too deeply are unknown', async () => {
  const deep = `'\${ ${'.a'.repeat(8000)} }'`;
  const { checkUses } = await checked(
    `${steps(1, () => '{ call: computation/fun }')}  - deep: { set: { x: ${deep} } }\n`,
  );
  expect(await checkUses({ schemasOf, events: NO_EVENTS })).toEqual([]);
});

test('a limited number of event types is compared', () => {
  const known = Array.from({ length: 20_000 }, (_, index) => `order.x${index}.ticket`);
  const misspelt = misspellingsOf([...known, 'order.paid']);
  expect(misspelt('order.payd')).toBe('order.paid');
  for (let index = 0; index < 1000; index += 1) misspelt(`order.x${index}0000.tocket`);
  expect(misspelt('order.pait')).toBeUndefined();
});
