import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { createKey } from '../../domain/access/index.ts';
import { startServerProcess } from '../../test/index.ts';
import { createCommandLine } from './cuebook.testing.ts';

const commandLine = createCommandLine();
const { cuebook, dataDir } = commandLine;
const ended: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(ended.splice(0).map((end) => end()));
});
afterAll(() => commandLine.remove());

const CREATE = ['keys', 'create', '--name', 'reporting', '--org', 'acme', '--permissions'];

describe('keys create', () => {
  test('prints a key that the server with its entry accepts, and that commands send', async () => {
    const { code, stdout } = await cuebook([...CREATE, 'org:write,org:read,playbook:read', '--json']);
    expect(code).toBe(0);
    const { key, entry } = JSON.parse(stdout) as { key: string; entry: { sha256: string } };
    expect(key).toMatch(/^abk_[\w-]{8}_[\w-]{43}$/);
    const trainer = createKey();
    const permissions = ['playbook:read', 'playbook:write'];
    const trainers = { name: 'trainer', org: 'acme', sha256: trainer.sha256, permissions, playbooks: ['desk'] };
    const server = await startServerProcess(dataDir, {
      environment: { API_KEYS: JSON.stringify([entry, trainers]) },
    });
    ended.push(() => server.end('SIGTERM'));
    const apply = ['apply', commandLine.writePlaybook(), '--server', server.address];
    const withoutKey = await cuebook(apply);
    expect([withoutKey.code, withoutKey.stderr]).toEqual([1, expect.stringContaining('CUEBOOK_KEY is not set')]);
    const wrongKey = `${key.slice(0, -4)}AAAA`;
    const withWrongKey = await cuebook(apply, { env: { CUEBOOK_KEY: wrongKey } });
    expect([withWrongKey.code, withWrongKey.stderr]).toEqual([1, expect.stringContaining('cuebook keys create')]);
    expect(withWrongKey.stderr).not.toContain(wrongKey);
    const withoutPermission = await cuebook(apply, { env: { CUEBOOK_KEY: key } });
    expect([withoutPermission.code, withoutPermission.stderr]).toEqual([
      1,
      expect.stringMatching(/playbook:write.*CUEBOOK_KEY/s),
    ]);
    const inbox = await cuebook(['inbox', '--server', server.address], { env: { CUEBOOK_KEY: key } });
    expect([inbox.code, inbox.stderr]).toEqual([0, '']);
    const elsewhere = await cuebook(['inbox', '--org', 'globex', '--server', server.address], {
      env: { CUEBOOK_KEY: key },
    });
    expect([elsewhere.code, elsewhere.stderr]).toEqual([
      1,
      expect.stringContaining('The key in CUEBOOK_KEY is for the org acme, and --org names globex.'),
    ]);

    // Training needs only permissions in its playbook.
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const desk = JSON.stringify({ playbook: 'desk', name: 'Desk' });
    await fetch(`${server.address}/v1/orgs/acme/playbooks`, { method: 'POST', headers, body: desk });
    const trained = await cuebook(['train', 'desk', '--server', server.address], { env: { CUEBOOK_KEY: trainer.key } });
    expect([trained.code, trained.stderr]).toEqual([0, 'No build is waiting for a trainer.\n']);

    const listed = await cuebook(['keys', 'list'], { env: { API_KEYS: JSON.stringify([entry]) } });
    expect(listed.stdout).toBe('reporting  org acme  org:write, org:read, playbook:read  playbooks *\n');
    expect(listed.stdout).not.toContain(entry.sha256);
  });

  test.each([
    [['playbook'], 'permissions[0] in the new key is "playbook"; it must be one of org:read'],
    [[''], 'permissions in the new key is empty'],
    [['org:read', '--playbooks', 'a*'], 'playbooks[0] in the new key is "a*"'],
  ])('with the permissions %j is refused', async (args, words) => {
    const { code, stdout, stderr } = await cuebook([...CREATE, ...args]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(words);
  });
});

test('keys list prints a sentence if there are none', async () => {
  expect((await cuebook(['keys', 'list'])).stdout).toBe('No API key is configured: the server runs in local mode.\n');
});

test.each([
  [{ HOST: '0.0.0.0' }, 'or set API_KEYS, or IDENTITY_ISSUER with PUBLIC_URL'],
  [{ PUBLIC_URL: 'https://cuebook.example.com' }, 'could be called by nobody'],
])('a server with %j and no key does not start', async (env, words) => {
  const { code, stderr } = await cuebook(['serve'], { env });
  expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
});
