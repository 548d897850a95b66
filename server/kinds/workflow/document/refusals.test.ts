// The documentation lists each refusal of a rule, and each form of the language that the schema refuses.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

/** By file: for each place that refuses something, what the documentation calls it. */
const REFUSALS: Readonly<Record<string, readonly string[]>> = {
  'called-definitions.ts': ['with a name that no definition can have'],
  'calls/mcp.ts': ['an MCP transport that is neither `http` nor `stdio`'],
  'calls/tool.ts': ['a tool that is not written SERVER/TOOL'],
  'expressions/check-expressions.ts': ['another `language` of expressions', 'an expression that jq does not compile'],
  'rules/backoffs.ts': [
    'a field in `constant` or `linear`',
    'a field other than `factor` and `maximum`',
    'a `factor` below 1',
    'a `maximum` that is no duration',
  ],
  'rules/durations.ts': [
    'a duration below 0 or above 100 years',
    'a negative `count` of retries',
    'a jitter that is longer in `from`',
  ],
  'rules/event-filters.ts': ['an `emit` of one', 'a schedule on a type of event that the service records itself'],
  'rules/examples.ts': [
    'examples that are no list, and an example',
    'with an unknown field',
    'without `name`',
    'or `input`',
    '`events` without a `type`',
    'a result in two members',
    'an unknown `failure`',
    'a name that is no call',
    'a name that is no call',
    'a name that is no call',
    'a name that is no call',
    'an example whose input or output does not match the schema',
  ],
  'rules/metadata.ts': ['an `expose` that is not true or false', 'examples that are no list'],
  'rules/names.ts': [
    'two steps of one name in a list',
    'from a branch or a function to another step',
    'a `then` to a step that the list does not have',
    'a variable with a `$`',
    'an item and its index of one name',
  ],
  'rules/schedule.ts': [
    'two of `every`, `cron` and `after`',
    'a time zone that is not in the IANA database',
    'a cron expression that cannot be read',
    '`every` or `after`',
    'or as an expression',
    'a duration below 0 or above 100 years',
    'with years or months',
    '`every` or `after` under one second',
  ],
  'rules/schemas.ts': [
    'another `format`',
    'a schema that is not valid JSON Schema 2020-12',
    '`shape` beside `schema`',
    'an unknown output shape',
  ],
  'rules/uses.ts': ['a reference to an entry that `use` does not have'],
  'schema/authentication.ts': ['authentication `digest`', 'two schemes in one authentication, or none', 'two schemes'],
  'schema/errors.ts': ['a field in `constant` or `linear`', 'a field in `constant` or `linear`'],
  'schema/events.ts': [
    '`until` beside `one` or `all`',
    '`until` beside `one` or `all`',
    'two of `one`, `any` and `all`',
    'an `until` inside another one',
  ],
  'schema/values.ts': ['`schema.resource` (external schemas)'],
  'schema/workflow.ts': ['`use.catalogs`'],
  'tasks/call.ts': [
    '`call: grpc`, `asyncapi`, `a2a`',
    'one of a catalog or an address',
    '`call: TYPE/NAME` with an unknown type',
    'a called function that is neither in `use.functions` nor part of the language',
  ],
  'tasks/run.ts': ['`run: container`, `script`, `shell`', 'a value of the wrong'],
  'tasks/switch.ts': ['a second case without `when` in a switch'],
};

const REFUSES = /findings\.error\(|(?<!const )\brefuse\(|(?<!function )\brefused\(|(?<!function )\brefusedWholly\(/g;

/** What reads and reports, and does not decide. */
const WITHOUT_RULES = ['read-workflow.job.ts', 'schema/build.ts'];

const folder = import.meta.dirname;

test('each place that refuses something is in the list, and the documentation names what it refuses', () => {
  const counted: Record<string, number> = {};
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || /\.(test|testing)\.ts$/.test(file)) continue;
    const name = file.split(path.sep).join('/');
    const places = readFileSync(path.join(folder, file), 'utf8').match(REFUSES)?.length ?? 0;
    if (places > 0 && !WITHOUT_RULES.includes(name)) counted[name] = places;
  }
  const listed = Object.fromEntries(Object.entries(REFUSALS).map(([name, phrases]) => [name, phrases.length]));
  expect(counted).toEqual(listed);
  const page = readFileSync(new URL('../../../../docs/workflows.md', import.meta.url), 'utf8').replaceAll(/\s+/g, ' ');
  expect(
    Object.values(REFUSALS)
      .flat()
      .filter((phrase) => !page.includes(phrase)),
  ).toEqual([]);
});
