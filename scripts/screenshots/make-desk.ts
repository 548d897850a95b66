// A second playbook, beside the sample: its definitions fail, ask, wait and are scheduled, and pictures may change it.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { definitionFilesOf } from '../../server/interfaces/cli/folder-files.ts';

export const DESK = 'repair-desk';
/** Each template is added to it. */
export const TEMPLATED = 'template-shop';
const TEMPLATES = fileURLToPath(new URL('../../resources/templates/', import.meta.url));

const HEAD = (name: string): string =>
  `document: { dsl: '1.0.3', namespace: repair-desk, name: ${name}, version: '1.0.0' }`;

/** Sources of the desk, by type and name. They are saved in this order. */
export const DESK_SOURCES = {
  'computation/quote': `export const description = 'Calculates the price of a repair.';
export const input = {
  type: 'object',
  required: ['hours'],
  properties: { hours: { type: 'number', minimum: 0 }, parts: { type: 'number', description: 'Price of the parts in EUR.' } },
};
export const output = {
  type: 'object',
  properties: { price: { type: 'number' }, lines: { type: 'array', items: { type: 'object' } } },
};
export const examples = [
  { name: 'Two hours', input: { hours: 2, parts: 30 }, output: { price: 190, lines: [{ labor: 160 }, { parts: 30 }] } },
  { name: 'The minimum', input: { hours: 0 }, output: { price: 60, lines: [{ labor: 60 }] } },
];
export default (input: Input) => {
  const labor = input.hours * 80;
  const parts = input.parts ?? 0;
  return { price: labor + parts, lines: [{ labor }, { parts }] };
};
`,
  'computation/charge': `export default ({ sum }) => {
  if (sum > 40) throw new Error('The card was refused.');
  return { charged: sum };
};
`,
  'computation/workshops': `export default () => [
  { city: 'Oslo', bays: 12, open: true },
  { city: 'Bergen', bays: 5, open: false },
  { city: 'Tromsø', bays: 2, open: true },
];
`,
  'computation/old-price': 'export default () => 40;\n',
  'interaction/approve-repair': `description: Asks the editor whether to repair.
input: { type: object, required: [price], properties: { price: { type: number } } }
ask:
  to: editor
  message: "Repair for {{ input.price }} EUR?"
  answer: { type: object, required: [approved], properties: { approved: { type: boolean }, note: { type: string } } }
`,
  'reasoning/sum-up': `---
description: Sums up a remark.
model: openai/gpt-5-mini
input: { type: object, required: [remark], properties: { remark: { type: string } } }
---
Sum up in one sentence: {{ input.remark }}
`,
  'workflow/decide': `${HEAD('decide')}
do:
  - price: { call: computation/quote, with: { hours: "\${ .hours }" } }
  - ask: { call: interaction/approve-repair, with: { price: "\${ .price }" } }
`,
  'workflow/order': `${HEAD('order')}
do:
  - price: { set: { sum: 42 } }
  - size:
      switch:
        - large: { when: '\${ .sum > 10 }', then: each }
        - small: { then: end }
  - never: { set: { reached: false } }
  - each:
      for: { in: '\${ [7, 8, 9] }' }
      do:
        - weigh: { set: { weight: '\${ $item }' } }
  - watch:
      try:
        - charge: { call: computation/charge, with: { sum: 42 } }
      catch:
        errors: {}
        retry: { delay: PT0S, limit: { attempt: { count: 1 } } }
`,
  'workflow/many': `${HEAD('many')}
do:
  - each:
      for: { each: n, in: '[range(30)]' }
      do: [ { one: { call: computation/charge, with: '\${ { sum: $n } }' } } ]
`,
  'workflow/hold': `${HEAD('hold')}
do: [ { hear: { listen: { to: { one: { with: { type: bell.rung } } } } } } ]
`,
  'workflow/thank': `${HEAD('thank')}
schedule: { on: { one: { with: { type: order.paid } } } }
do: [ { note: { set: { thanked: true } } } ]
`,
  'workflow/often': `${HEAD('often')}
schedule: { every: PT10S }
do: [ { note: { set: { noted: true } } } ]
`,
} as const;

type Answer = Record<string, unknown>;

/** @throws Error where the server refuses the command, unless the path ends with `/run`: the run may fail. */
export async function send(
  url: string,
  body: object,
  method: 'POST' | 'PUT' = 'POST',
  headers: object = {},
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Answer;
  if (!response.ok && !url.endsWith('/run')) throw new Error(`The server refused ${url}: ${JSON.stringify(answer)}`);
  return answer;
}

export async function makeDesk(address: string): Promise<void> {
  const playbooks = `${address}/v1/orgs/local/playbooks`;
  const desk = `${playbooks}/${DESK}`;
  const run = (reference: string, input: object): Promise<Answer> =>
    send(`${desk}/definitions/${reference}/run`, { input });
  await send(playbooks, { playbook: DESK, name: 'Repair desk', description: 'Repairs what comes in.' });
  for (const [reference, source] of Object.entries(DESK_SOURCES)) {
    const [type, name] = reference.split('/');
    await send(`${desk}/definitions/${type}`, { name, source });
  }
  const summing = DESK_SOURCES['reasoning/sum-up'].replace('one sentence', 'at most ten words');
  await send(`${desk}/definitions/reasoning/sum-up`, { source: summing }, 'PUT');
  await send(`${desk}/definitions/computation/old-price/retire`, {});
  await send(`${desk}/schedules/often/pause`, {});
  for (const hours of [1, 3]) await run('computation/quote', { hours, parts: 10 * hours });
  for (const remark of ['Two gulls were struck.', 'A flock of starlings.']) await run('reasoning/sum-up', { remark });
  for (const name of ['order', 'many', 'hold', 'hold', 'hold']) await run(`workflow/${name}`, { id: 'A-7' });
  await run('computation/charge', { sum: 50 });
  await run('computation/workshops', {});
  const lines = Array.from({ length: 300 }, (_none, place) => ({ sku: `part-${place}`, price: place / 4 }));
  for (const [type, data] of [
    ['order.paid', { order: 'A-7', amount: 190 }],
    ['order.placed', { customer: { name: 'Ada', city: 'Oslo' }, lines }],
  ] as const) {
    await send(`${desk}/events`, { event: { source: '/shop', type, data } });
  }
  await addTemplates(playbooks);
}

async function addTemplates(playbooks: string): Promise<void> {
  await send(playbooks, { playbook: TEMPLATED, name: 'Template shop', description: 'One of each template.' });
  for (const template of readdirSync(TEMPLATES)) {
    for (const file of definitionFilesOf(path.join(TEMPLATES, template))) {
      const [name, type] = file.split('.');
      const source = readFileSync(path.join(TEMPLATES, template, file), 'utf8');
      await send(`${playbooks}/${TEMPLATED}/definitions/${type}`, { name, source });
    }
  }
}
