// A server that is killed passes nothing on to what it started: the programs of its tool servers end by themselves.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createTestClient, startServerProcess, temporaryFolder } from '../test/index.ts';
import { programOf } from '../domain/tools/tools.testing.ts';

/** The processes that run. One that ended and was not collected runs no more. */
function running(): { pid: number; parent: number }[] {
  const lines = execFileSync('ps', ['-e', '-o', 'pid=,ppid=,stat=']).toString().trim().split('\n');
  return lines.flatMap((line) => {
    const [pid, parent, state = ''] = line.trim().split(/\s+/);
    return state.startsWith('Z') ? [] : [{ pid: Number(pid), parent: Number(parent) }];
  });
}

const AT = '/v1/orgs/local/playbooks/desk';

// There is no `ps` on Windows.
test.skipIf(process.platform === 'win32')(
  'given tool servers that were started, then killing the server ends each of them, and no process is left',
  async () => {
    const folder = temporaryFolder();
    const notes = temporaryFolder();
    const config = {
      tool_servers: {
        files: programOf('server-filesystem', notes.path),
        everything: programOf('server-everything'),
        memory: { ...programOf('server-memory'), env: { MEMORY_FILE_PATH: path.join(notes.path, 'memory.json') } },
      },
    };
    writeFileSync(path.join(folder.path, 'cuebook.yaml'), JSON.stringify(config));
    const server = await startServerProcess(folder.path);
    onTestFinished(async () => {
      await server.end('SIGKILL');
      folder.remove();
      notes.remove();
    });
    const client = await createTestClient(server.address);
    await client.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
    const { scopes } = (await client.get(`${AT}/tool-servers/search?terms=read`)).body;
    expect(scopes).toEqual(['everything', 'files', 'memory']);
    const started = running().flatMap(({ pid, parent }) => (parent === server.pid ? [pid] : []));
    expect(started.length).toBeGreaterThanOrEqual(3);
    await server.end('SIGKILL');
    const left = (): number[] => running().flatMap(({ pid }) => (started.includes(pid) ? [pid] : []));
    await expect.poll(left, { timeout: 20_000 }).toEqual([]);
  },
  60_000,
);
