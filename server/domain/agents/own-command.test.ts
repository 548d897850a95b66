import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CLIENTS } from './clients.ts';
import { ownCommand } from './own-command.ts';

test('Clients are told of this Node, or of the desktop app as one, with what that needs', () => {
  const own = ownCommand({ execPath: '/node', versions: process.versions });
  expect(own).toMatchObject({ command: '/node', environment: {} });
  expect(existsSync(String(own.args[0]))).toBe(true);
  expect(CLIENTS['cursor']?.entry(own)).toEqual({ command: '/node', args: own.args });
  const inApp = ownCommand({ execPath: '/opt/Cuebook/cuebook', versions: { ...process.versions, electron: '45.4.1' } });
  expect(CLIENTS['claude-code']?.entry(inApp)).toEqual({
    type: 'stdio',
    command: '/opt/Cuebook/cuebook',
    args: [expect.stringMatching(/app\.asar\.unpacked.electron.cuebook\.mjs$/)],
    env: { ELECTRON_RUN_AS_NODE: '1' },
  });
});
