import { describe, expect, test } from 'vitest';
import { BRIDGE_CHANNELS } from '../../shared/desktop.ts';
import { handleBridge, type IpcEvent } from './handle-bridge.ts';

const SERVER = 'http://127.0.0.1:4747';
const OWN: IpcEvent = { sender: { id: 7 }, senderFrame: { url: `${SERVER}/#/playbooks`, parent: null } };

function given() {
  const handlers = new Map<string, (event: IpcEvent, given: unknown) => unknown>();
  const done: string[] = [];
  handleBridge(
    { handle: (channel, listener) => void handlers.set(channel, listener) },
    {
      studio: () => SERVER,
      contents: () => 7,
      copy: (text) => void done.push(`copy ${text}`),
      startServer: () => void done.push('start'),
      showLog: () => void done.push('log'),
    },
  );
  return { done, ask: (channel: string, event: IpcEvent, text?: unknown) => handlers.get(channel)?.(event, text) };
}

describe('the page of the window', () => {
  test('may call the bridge', () => {
    const { ask, done } = given();
    ask(BRIDGE_CHANNELS.copyText, OWN, 'curl');
    ask(BRIDGE_CHANNELS.startServer, OWN);
    ask(BRIDGE_CHANNELS.showLog, OWN);
    expect(done).toEqual(['copy curl', 'start', 'log']);
  });

  test.each([undefined, 1, { toString: () => 'x' }, ['x'], 'x'.repeat(9 * 1024 * 1024)])(
    'copies only texts',
    (text) => {
      const { ask, done } = given();
      expect(() => ask(BRIDGE_CHANNELS.copyText, OWN, text)).toThrow('must be a string');
      expect(done).toEqual([]);
    },
  );
});

describe('others are refused:', () => {
  test.each<[string, IpcEvent]>([
    ['another window', { ...OWN, sender: { id: 8 } }],
    ['a frame in the page', { ...OWN, senderFrame: { url: `${SERVER}/`, parent: {} } }],
    ['a page that is gone', { ...OWN, senderFrame: null }],
    ['another page', { ...OWN, senderFrame: { url: 'https://example.com/', parent: null } }],
    ['another page of the server', { ...OWN, senderFrame: { url: `${SERVER}/connect`, parent: null } }],
  ])('%s', (_who, event) => {
    const { ask, done } = given();
    for (const channel of Object.values(BRIDGE_CHANNELS))
      expect(() => ask(channel, event, 'text')).toThrow('Only the studio');
    expect(done).toEqual([]);
  });
});
