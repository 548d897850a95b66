import { expect, test } from 'vitest';
import { unavailable } from '../../lib/rejection.ts';
import { CommandFailure } from './failure.ts';
import { listen } from './listen.ts';

test('given a database that is lost during the start, then the server closes, and the message asks for a restart', async () => {
  let isClosed = false;
  const server = {
    listen: () => Promise.reject(unavailable('The database cannot be reached, so nothing was changed. Try again.')),
    close: async () => void (isClosed = true),
  };
  const failure = await listen(server, { host: '127.0.0.1', port: 0 }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(CommandFailure);
  expect(failure).toMatchObject({
    message: 'The database was lost while the server started. Start the server again.',
    exitCode: 3,
  });
  expect(isClosed).toBe(true);
});
