// Our schema against the standard's: every document that one takes and the other refuses, by what makes it so.
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Json } from '../../../../../shared/json.ts';
import { changed } from '../changed.testing.ts';
import { SAMPLES, workflow } from '../samples.testing.ts';
import { shapeIssues } from '../read-workflow.job.ts';

const standard = addFormats
  .default(new Ajv2020({ strict: false, logger: false }))
  .compile(
    parse(readFileSync(new URL('../../../../../resources/schemas/workflow.yaml', import.meta.url), 'utf8')) as object,
  );

type Verdict = 'both take it' | 'both refuse it' | 'only ours takes it' | 'only the standard takes it';

function verdictOn(document: unknown): Verdict {
  const theirs = standard(document);
  const ours = shapeIssues(document).length === 0;
  if (theirs === ours) return theirs ? 'both take it' : 'both refuse it';
  return ours ? 'only ours takes it' : 'only the standard takes it';
}

function step(task: string): unknown {
  return parse(workflow(`do: [{ step: ${task} }]`));
}

describe('the points in which our schema differs from the standard', () => {
  test.each<[string, Verdict, unknown]>([
    ['an output shape', 'only ours takes it', parse(workflow('do: []\noutput: { shape: table }'))],
    ['a time zone', 'only ours takes it', parse(workflow("do: []\nschedule: { cron: '0 0 * * *', timezone: UTC }"))],
    ['a called definition takes a list', 'only ours takes it', step('{ call: computation/x, with: [1] }')],
    ['a called definition takes one expression', 'only ours takes it', step("{ call: computation/x, with: '${ . }' }")],
    ['an expression over several lines', 'only ours takes it', step('{ wait: "${\\n.pause\\n}" }')],
    [
      'a query of other scalars',
      'only ours takes it',
      step('{ call: http, with: { method: get, endpoint: x, query: { a: 1, b: true, c: null } } }'),
    ],
    [
      'headers of other scalars',
      'only ours takes it',
      step('{ call: http, with: { method: get, endpoint: x, headers: { a: 1 } } }'),
    ],
    ['a workflow by its name alone', 'only ours takes it', step('{ run: { workflow: { name: other } } }')],
    [
      'a workflow with any input',
      'only ours takes it',
      step("{ run: { workflow: { name: x, namespace: x, version: x, input: '${ . }' } } }"),
    ],
    ['root keys that nobody knows', 'only the standard takes it', parse(workflow('do: []\nmore: 1'))],
    ['an empty schedule', 'only the standard takes it', parse(workflow('do: []\nschedule: {}'))],
    [
      'another version of the language',
      'only the standard takes it',
      {
        ...(parse(workflow('do: []')) as object),
        document: { dsl: '1.1.0', namespace: 'x', name: 'x', version: '1.0.0' },
      },
    ],
    [
      'gRPC',
      'only the standard takes it',
      step('{ call: grpc, with: { proto: { endpoint: x }, service: { name: x, host: x }, method: x } }'),
    ],
    [
      'AsyncAPI',
      'only the standard takes it',
      step('{ call: asyncapi, with: { document: { endpoint: x }, operation: x, message: {} } }'),
    ],
    ['agents over A2A', 'only the standard takes it', step('{ call: a2a, with: { method: tasks/get } }')],
    ['containers', 'only the standard takes it', step('{ run: { container: { image: x } } }')],
    ['scripts', 'only the standard takes it', step('{ run: { script: { language: js, code: x } } }')],
    ['shell commands', 'only the standard takes it', step('{ run: { shell: { command: x } } }')],
    ['catalogs', 'only the standard takes it', parse(workflow('do: []\nuse: { catalogs: { x: { endpoint: x } } }'))],
    [
      'digest',
      'only the standard takes it',
      parse(workflow('do: []\nuse: { authentications: { x: { digest: { username: x, password: x } } } }')),
    ],
    [
      'grants of persons',
      'only the standard takes it',
      parse(workflow('do: []\nuse: { authentications: { x: { oidc: { authority: x, grant: authorization_code } } } }')),
    ],
    [
      'clients that sign',
      'only the standard takes it',
      parse(
        workflow(
          'do: []\nuse: { authentications: { x: { oidc: { authority: x, grant: client_credentials, client: { authentication: private_key_jwt } } } } }',
        ),
      ),
    ],
    [
      'schemas from outside',
      'only the standard takes it',
      parse(workflow('do: []\ninput: { schema: { resource: { endpoint: x } } }')),
    ],
    ['an event without attributes', 'only the standard takes it', step('{ emit: { event: {} } }')],
    ['a tool call without its tool', 'only the standard takes it', step('{ call: tool, with: {} }')],
    [
      'two ways to authenticate at once',
      'only the standard takes it',
      parse(workflow('do: []\nuse: { authentications: { x: { bearer: { token: x }, basic: {} } } }')),
    ],
  ])('%s: %s', (_, verdict, document) => {
    expect(verdictOn(document)).toBe(verdict);
  });
});

/** Changes that lead to one of the differences above. */
const DIFFERENCES: readonly RegExp[] = [
  /^ [!+] /, // at the root: keys that nobody knows
  /^\/schedule = \{\}$/,
  /\/with\/(?:query|headers)(?:\/[\w-]+)? = /,
  /\/with\/(?:query|headers) \+ /,
  /\/run\/workflow - (?:namespace|version)$/,
  /\/run\/workflow\/input = /,
  /\/schedule - /,
  /\/(?:score|ask|again)\/with = /, // calls of definitions
  /\/emit\/event = \{/,
  /\/emit\/event [-!] with$/,
  /\/(?:authentications|authentication)\/\w+ \+ /,
];

describe('given the samples with one thing changed at a time', () => {
  const ours = new Set(['calls of tools']);
  const compared = Object.entries(SAMPLES).filter(
    ([name, body]) => !ours.has(name) && verdictOn(parse(workflow(body))) === 'both take it',
  );

  test('most of the samples are ones that the standard takes', () => {
    expect(compared.length).toBeGreaterThan(18);
  });

  test.each(compared)('%s: both schemas agree', (_, body) => {
    const document = parse(workflow(body)) as Json;
    const surprises: string[] = [];
    for (const [what, other] of changed(document, '')) {
      if (DIFFERENCES.some((difference) => difference.test(what))) continue;
      const verdict = verdictOn(other);
      if (!verdict.startsWith('both')) surprises.push(`${what}: ${verdict}`);
    }
    expect(surprises).toEqual([]);
  });
});
