import { expect, test } from 'vitest';
import { createChecking } from './checking.testing.ts';
import { SAMPLES } from './samples.testing.ts';

const { checked } = createChecking();

test('given a workflow, its overview says what it needs, produces and does, step below step', async () => {
  const { overview } = await checked(`document:
  dsl: '1.0.3'
  namespace: x
  name: x
  version: '1.0.0'
  summary: Handles an order.
  metadata: { expose: true, examples: [{ name: small, input: { id: 1 } }] }
schedule: { every: { hours: 26 } }
use: { functions: { tell: { call: tool, with: { tool: chat/post } } } }
input:
  schema: { document: { properties: { id: { type: integer, description: The order. } }, type: object } }
output: { shape: table }
do:
  - take:
      if: .id != null
      try:
        - pay: { call: computation/pay }
        - sort: { switch: [{ big: { when: .sum > 9, then: end } }, { small: { then: exit } }] }
      catch:
        retry: { delay: PT1S }
        do:
          - tell: { call: tell }
      then: end
`);
  expect(overview).toBe(
    [
      'Handles an order.',
      '**Needs**\n\n- `id` (integer): The order.',
      '**Produces**\n\nThe shape `table`.',
      '**Starts automatically**\n\n- every 1 day 2 hours',
      [
        '**Does**',
        '',
        '- `take`: if `.id != null`, tries, with retries, then the end',
        '  - `pay`: calls `computation/pay`',
        '  - `sort`: `big` → the end; otherwise → out of this list',
        '  - on error:',
        '    - `tell`: calls `tell`',
      ].join('\n'),
      '**Functions**\n\n- `tell`: calls the tool `chat/post`',
      '**Tools** `chat/post`',
      '**Examples** small',
      '**Exposed** as its own MCP tool.',
    ].join('\n\n'),
  );
});

test('given event and cron schedules, it says what starts the workflow and what it gets', async () => {
  const { overview } = await checked(SAMPLES['an event schedule'] ?? '');
  expect(overview).toContain(
    '**Needs**\n\nThe list of the events that start it; `.[0]` is the first, and `.[0].data` its data.',
  );
  expect(overview).toContain('- on events of `order.placed`');
  expect((await checked(SAMPLES['a cron schedule'] ?? '')).overview).toContain(
    'on the schedule `0 8 * * 1-5` (Europe/Berlin)',
  );
});

test.each([
  ['data', '`.[0]` is that of the first'],
  ['raw', 'each as text; `.[0]` is that of the first'],
])('given a schedule with `read: %s`, it says what the list contains', async (read, words) => {
  const { overview } = await checked(`schedule: { on: { one: { with: { type: a } } }, read: ${read} }\ndo: []`);
  expect(overview).toContain(words);
});

test('given hundreds of steps, it shows the first hundred', async () => {
  const { overview } = await checked(
    `do:\n${Array.from({ length: 130 }, (_, index) => `  - s${index}: { wait: PT1S }`).join('\n')}`,
  );
  expect(overview).toContain('- `s99`: waits 1 second\n\n... and 30 more.');
});
