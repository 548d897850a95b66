import { expect, onTestFinished, test, vi } from 'vitest';
import { connectDesktopApp } from './desktop-app.ts';

test('given the desktop app, when it reports that the machine has woken up, then the clock is checked immediately', async () => {
  let receive = (_event: { data: unknown }): void => {};
  const posted: unknown[] = [];
  Object.assign(process, {
    parentPort: {
      on: (_event: 'message', listener: typeof receive) => void (receive = listener),
      postMessage: (message: unknown) => void posted.push(message),
    },
  });
  onTestFinished(() => void Reflect.deleteProperty(process, 'parentPort'));
  const look = vi.fn<() => void>();
  connectDesktopApp({ look });
  expect(look).not.toHaveBeenCalled();
  receive({ data: { kind: 'request', id: 1, name: 'machineResumed', argument: null } });
  await vi.waitFor(() => expect(posted).toMatchObject([{ kind: 'response', id: 1 }]));
  expect(look).toHaveBeenCalledOnce();
});

test('given no desktop app, then there is no connection to one', () => {
  expect(connectDesktopApp({ look: () => {} })).toBeUndefined();
});
