import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PROBLEMS } from '../shared/problems.ts';
import { startServer, type TestServer } from './testing/index.ts';
import { readGuides } from './resources.ts';

const guide = (name: string): string => readGuides().find((one) => one.name === name)?.text ?? '';
const code = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, body = '']) => body);

describe('the guides', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.close());

  test('each has a title and is served as it stands', async () => {
    for (const { name, title, text } of readGuides()) {
      expect(title).not.toBe('');
      expect((await server.get(`/v1/guides/${name}`)).text).toBe(text);
    }
  });

  test('the requests of the guide start work as they are written', async () => {
    const answers: number[] = [];
    let output: unknown;
    for (const command of code(guide('start'), 'sh')) {
      const [, path = ''] = /http:\/\/127\.0\.0\.1:4747(\S+)/.exec(command) ?? [];
      const [, body = ''] = /-d '(.*)'/s.exec(command) ?? [];
      const answer = await server.post(path, body);
      answers.push(answer.status);
      output = answer.body.output;
    }
    expect(answers).toEqual([201, 201, 200]);
    expect(output).toEqual({ total: 11.9 });
  });

  test('the program of the guide computation is saved without a warning and gives what its example says', async () => {
    await server.post('/v1/orgs/local/playbooks', { playbook: 'guide', name: 'Guide' });
    const [source] = code(guide('computation'), 'ts');
    const saved = await server.post('/v1/orgs/local/playbooks/guide/definitions/computation', {
      name: 'of-guide',
      source,
    });
    expect(saved).toMatchObject({ status: 201, body: { warnings: [] } });
    const [example] = saved.body.details.examples;
    const run = await server.post('/v1/orgs/local/playbooks/guide/definitions/computation/of-guide/run', {
      input: example.input,
    });
    expect(run.body.output).toEqual(example.output);
  });

  test('the guide errors names every problem with its status', () => {
    const rows = [...guide('errors').matchAll(/^\| `(\w+)` \| (\d+) \|/gm)].map(([, name, status]) => [
      name,
      Number(status),
    ]);
    expect(rows).toEqual(Object.entries(PROBLEMS).map(([name, { status }]) => [name, status]));
  });
});

test('the settings page names every variable that the settings read', () => {
  const page = readFileSync(new URL('../docs/settings.md', import.meta.url), 'utf8');
  const source = readFileSync(new URL('./settings/settings.ts', import.meta.url), 'utf8');
  const read = [...source.matchAll(/given\(environment, '([A-Z_]+)'\)/g)].map(([, name = '']) => name);
  expect(read.length).toBeGreaterThan(5);
  for (const name of read.filter((one) => one !== 'XDG_DATA_HOME' && one !== 'LOCALAPPDATA'))
    expect(page).toContain(`\`${name}\``);
});
