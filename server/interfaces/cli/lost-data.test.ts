// Files that go missing behind the server's back end it, or its next start, with 3 and a sentence.
import { rmSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestClient, startServerProcess } from '../../test/index.ts';
import { type CommandLine, createCommandLine } from './cuebook.testing.ts';

const PLAYBOOKS = '/v1/orgs/local/playbooks';

let line: CommandLine;
let file: (name: string) => string;
beforeEach(() => {
  line = createCommandLine();
  file = (name) => path.join(line.dataDir, name);
});
afterEach(() => line.remove());

test('given a database that was emptied after a kill, then every command that needs it prints what to do', async () => {
  const server = await startServerProcess(line.dataDir);
  await (await createTestClient(server.address)).post(PLAYBOOKS, { playbook: 'desk', name: 'Desk' });
  await server.end('SIGKILL');
  truncateSync(file('cuebook.db'));
  for (const command of [['serve'], ['doctor'], ['history', 'desk', crypto.randomUUID()]]) {
    const { code, stderr } = await line.cuebook(command, { env: { PORT: '0' } });
    expect([code, stderr]).toEqual([
      3,
      expect.stringMatching(/is missing or empty, and \d+ commits were acknowledged/),
    ]);
    expect(stderr).toContain(`remove ${file('cuebook.db.acknowledged')} and start again.\n`);
  }
}, 60_000);

// Windows removes no file that is open.
test.skipIf(process.platform === 'win32')(
  'given a lock that is removed under a running server, then the server ends, and the next one has what was acknowledged',
  async () => {
    const first = await startServerProcess(line.dataDir);
    await (await createTestClient(first.address)).post(PLAYBOOKS, { playbook: 'desk', name: 'Desk' });
    rmSync(file('runtime.json'));
    rmSync(file('cuebook.db.lock'));
    const second = await startServerProcess(line.dataDir);
    expect(await first.ended).toBe(3);
    expect(first.stderr()).toContain(`The file ${file('cuebook.db.lock')} was removed or replaced`);
    const { body } = await (await createTestClient(second.address)).get(PLAYBOOKS);
    expect(body.playbooks).toMatchObject([{ id: 'desk' }]);
    expect(await second.end('SIGTERM')).toBe(0);
  },
  60_000,
);
