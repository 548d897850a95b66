// When the service was last used, for a runtime that exits when it is idle.
import type { Server } from 'node:http';
import type { Clock } from '../lib/clock.ts';

export interface Activity {
  /** Milliseconds since the last request; 0 while a request is in progress. */
  idleFor(): number;
}

/** Every request counts but one for the health of the service, which monitors and commands ask for all the time. */
export function watchActivity(server: Server, clock: Clock): Activity {
  let last = clock.elapsed();
  let going = 0;
  server.on('request', ({ url }, response) => {
    if (url === '/health') return;
    going += 1;
    response.once('close', () => {
      going -= 1;
      last = clock.elapsed();
    });
  });
  return { idleFor: () => (going > 0 ? 0 : clock.elapsed() - last) };
}
