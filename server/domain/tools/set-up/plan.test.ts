import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../shared/json.ts';
import { planServers } from './plan.ts';
import { shownConfig } from './shown-config.ts';

function plan(entry: JsonObject, { taken = [] as string[], set = [] as string[] } = {}) {
  const planned = planServers([{ name: 'My Hub', entry, notes: [] }], { taken, isSet: (name) => set.includes(name) });
  return { ...planned, entry: planned.servers[0]?.entry, name: planned.servers[0]?.name };
}

test('secrets become variables, and harmless values stay', () => {
  const { entry, variables } = plan({
    type: 'stdio',
    command: 'hub',
    args: [
      '--api-key',
      'abcdefgh',
      '--token=12345678',
      '/srv/docs',
      'ghp_0123456789abcdef',
      '--header',
      'Authorization: Bearer abcdefghi',
    ],
    env: {
      HUB_TOKEN: 'abc',
      LOG_LEVEL: 'debug',
      ROOT: '/srv/my/documents',
      ODD: 'f8a7c6b5d4e3',
      URL: 'https://me:pw@x.org/',
    },
  });
  expect(entry).toEqual({
    type: 'stdio',
    command: 'hub',
    args: [
      '--api-key',
      '${TOOL_MY_HUB_API_KEY}',
      '--token=${TOOL_MY_HUB_TOKEN}',
      '/srv/docs',
      '${TOOL_MY_HUB_TOKEN_2}',
      '--header',
      'Authorization: Bearer ${TOOL_MY_HUB_TOKEN_3}',
    ],
    env: {
      HUB_TOKEN: '${TOOL_MY_HUB_HUB_TOKEN}',
      LOG_LEVEL: 'debug',
      ROOT: '/srv/my/documents',
      ODD: '${TOOL_MY_HUB_ODD}',
      URL: '${TOOL_MY_HUB_URL}',
    },
  });
  expect(variables.map(({ field, state, value }) => [field, state, value])).toEqual([
    ['args[1]', 'pasted', 'abcdefgh'],
    ['args[2]', 'pasted', '12345678'],
    ['args[4]', 'pasted', 'ghp_0123456789abcdef'],
    ['args[6]', 'pasted', 'abcdefghi'],
    ['env.HUB_TOKEN', 'pasted', 'abc'],
    ['env.ODD', 'pasted', 'f8a7c6b5d4e3'],
    ['env.URL', 'pasted', 'https://me:pw@x.org/'],
  ]);
});

test('headers keep their scheme, and addresses their other parts', () => {
  const { entry } = plan({
    type: 'mcp',
    url: 'https://hub.example.com/s/0123456789abcdef0123456789ab/mcp?team=a&api_key=abcdefgh',
    headers: { Authorization: 'Bearer abcdefgh', 'X-Team': 'blue' },
  });
  expect(entry).toEqual({
    type: 'mcp',
    url: 'https://hub.example.com/s/${TOOL_MY_HUB_TOKEN}/mcp?team=a&api_key=${TOOL_MY_HUB_API_KEY}',
    headers: { Authorization: 'Bearer ${TOOL_MY_HUB_TOKEN_2}', 'X-Team': 'blue' },
  });
});

test('references of other clients and placeholders are converted', () => {
  const { entry, variables, issues } = plan(
    {
      type: 'stdio',
      command: 'hub',
      env: {
        A: '${env:HUB_KEY}',
        B: '${env:ABSENT}',
        C: '${input:hub-token}',
        D: '${LEVEL:-info}',
        API_KEY: '<YOUR_KEY>',
      },
    },
    { set: ['HUB_KEY'] },
  );
  expect(entry?.['env']).toEqual({
    A: '${HUB_KEY}',
    B: '${TOOL_MY_HUB_ABSENT}',
    C: '${TOOL_MY_HUB_HUB_TOKEN}',
    D: 'info',
    API_KEY: '${TOOL_MY_HUB_API_KEY}',
  });
  expect(variables.map(({ name, state }) => `${name} ${state}`)).toEqual([
    'HUB_KEY set',
    'TOOL_MY_HUB_ABSENT missing',
    'TOOL_MY_HUB_HUB_TOKEN missing',
    'TOOL_MY_HUB_API_KEY missing',
  ]);
  expect(issues).toEqual([]);
  expect(plan({ type: 'stdio', command: 'hub', args: ['${workspaceFolder}'] }).issues).toMatchObject([
    { pointer: '/text', detail: expect.stringContaining('${workspaceFolder}') },
  ]);
});

test('secrets in arguments, also in JSON, become variables that fit where they stand', () => {
  const { entry, variables } = plan({
    type: 'stdio',
    command: 'docker',
    args: [
      'run',
      '-e',
      'DB_PASS=hunter2hunter2',
      'acme/hub',
      '--config',
      '{"password":"a\\"b12345","user":"me"}',
      '--dir',
      '<DIR>',
    ],
  });
  expect(entry?.['args']).toEqual([
    'run',
    '-e',
    'DB_PASS=${TOOL_MY_HUB_DB_PASS}',
    'acme/hub',
    '--config',
    '{"password":"${TOOL_MY_HUB_PASSWORD}","user":"me"}',
    '--dir',
    '${TOOL_MY_HUB_DIR}',
  ]);
  expect(variables.map(({ value }) => value)).toEqual(['hunter2hunter2', 'a\\"b12345', undefined]);
});

test('names of servers and variables are free and valid', () => {
  const { name, variables, servers } = plan(
    { type: 'stdio', command: 'hub', env: { TOKEN: 'abcdefgh' } },
    { taken: ['My-Hub'], set: ['TOOL_MY_HUB_2_TOKEN'] },
  );
  expect(name).toBe('My-Hub-2');
  expect(variables[0]?.name).toBe('TOOL_MY_HUB_2_TOKEN_2');
  expect(servers[0]?.notes).toEqual(['A server My-Hub is configured already.']);
});

test('a shown file has no secrets, and everything else as it is', () => {
  const text = `# ours
tool_servers:
  a: { type: mcp, url: 'https://x.org/mcp', headers: { Authorization: "Bearer abc", X-B: "\${B}" } } # first
  b:
    type: stdio
    command: b
    args: [--token, abcdefgh, /srv]
    env:  { MODE: fast, KEY: 'abcdefgh' }
model_gateways: [{ name: g, base_url: http://x, api_key: abcdefgh }]
`;
  expect(shownConfig(text)).toBe(
    text
      .replace('"Bearer abc"', '***')
      .replace("'abcdefgh'", '***')
      .replace('--token, abcdefgh', '--token, ***')
      .replace('api_key: abcdefgh', 'api_key: ***'),
  );
});

test('thousands of secrets of one name have variables of their own, and no name is tried again for each', () => {
  let tried = 0;
  const args = Array.from({ length: 2000 }, () => 'sk-12345678');
  const { variables } = planServers([{ name: 'hub', entry: { type: 'stdio', command: 'hub', args }, notes: [] }], {
    taken: [],
    isSet: (name) => {
      tried += 1;
      return name === 'TOOL_HUB_TOKEN';
    },
  });
  expect(new Set(variables.map(({ name }) => name)).size).toBe(2000);
  expect(variables[0]).toMatchObject({ name: 'TOOL_HUB_TOKEN_2' });
  expect(tried).toBe(2001);
});

test('a reference to a variable of the same entry is its planned value, and asks for nothing', () => {
  const { entry, variables } = plan(
    {
      type: 'stdio',
      command: 'npx',
      args: [
        'mcp-remote',
        'https://x.example/mcp',
        '--header',
        'Authorization:${AUTH}',
        '--port',
        '${PORT}',
        '${OTHER}',
      ],
      env: { AUTH: 'Bearer abcd1234', PORT: '8080' },
    },
    { set: ['AUTH'] },
  );
  expect(entry).toMatchObject({
    args: [
      'mcp-remote',
      'https://x.example/mcp',
      '--header',
      'Authorization:Bearer ${TOOL_MY_HUB_TOKEN}',
      '--port',
      '8080',
      '${TOOL_MY_HUB_OTHER}',
    ],
    env: { AUTH: 'Bearer ${TOOL_MY_HUB_TOKEN}', PORT: '8080' },
  });
  expect(variables.map(({ name, state }) => [name, state])).toEqual([
    ['TOOL_MY_HUB_TOKEN', 'pasted'],
    ['TOOL_MY_HUB_OTHER', 'missing'],
  ]);
});

test.each(['ntn_****', 'fc-xxxx', '<key>', 'sk-...'])('%s stands for a secret that a person must give', (value) => {
  const { variables } = plan({ type: 'stdio', command: 'hub', env: { HUB_TOKEN: value } });
  expect(variables.map(({ state }) => state)).toEqual(['missing']);
});
