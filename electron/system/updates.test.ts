import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { followUpdates, type Updater } from './updates.ts';

class StandInUpdater extends EventEmitter implements Updater {
  autoDownload = false;
  autoInstallOnAppQuit = false;
  looks = 0;
  isInstalled = false;
  async checkForUpdates(): Promise<void> {
    this.looks += 1;
    throw new Error('No network.');
  }
  quitAndInstall(): void {
    this.isInstalled = true;
  }
}

function given(button: number) {
  const updater = new StandInUpdater();
  const later: { milliseconds: number; work: () => void }[] = [];
  const order: string[] = [];
  followUpdates({
    updater,
    after: (milliseconds, work) => {
      later.push({ milliseconds, work });
      return () => {};
    },
    log: (sentence) => void order.push(sentence),
    ask: async ({ message }) => {
      order.push(message);
      return button;
    },
    async afterServerStopped(work) {
      order.push('the server stopped');
      work();
    },
  });
  return { updater, later, order };
}

test('it checks from time to time, and only logs a failure', () => {
  const { updater, later, order } = given(1);
  for (let round = 0; round < 3; round += 1) later.shift()?.work();
  expect([updater.looks, later[0]?.milliseconds]).toEqual([3, 6 * 60 * 60_000]);
  updater.emit('error', new Error('No network.'));
  expect(order).toEqual(['The update failed: No network.']);
});

test('an update is installed when the person agrees, after the server has stopped', async () => {
  const { updater, order } = given(0);
  updater.emit('update-downloaded', { version: '2.0.0' });
  await vi.waitFor(() => expect(updater.isInstalled).toBe(true));
  expect(order).toEqual(['Version 2.0.0 was downloaded.', 'Cuebook 2.0.0 is ready', 'the server stopped']);
});

test('otherwise it is installed when the app quits', async () => {
  const { updater, order } = given(1);
  updater.emit('update-downloaded', { version: '2.0.0' });
  await vi.waitFor(() => expect(order).toContain('Cuebook 2.0.0 is ready'));
  expect([updater.isInstalled, updater.autoInstallOnAppQuit]).toEqual([false, true]);
});

test('without an update address, nothing is checked', () => {
  const nothing = vi.fn<() => never>();
  followUpdates({ updater: undefined, after: nothing, log: nothing, ask: nothing, afterServerStopped: nothing });
  expect(nothing).not.toHaveBeenCalled();
});
