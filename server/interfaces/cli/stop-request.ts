// Requests to stop: SIGINT, SIGTERM, or the end of the launcher.
//
// One request may arrive several times: a terminal and systemd signal every process of a group, and npm forwards
// signals. Signals within a second of the first are the same request; a later signal is a new request to stop
// immediately.
import { EXIT } from './failure.ts';

const ONE_REQUEST_MS = 1000;

/** Calls `stop` at the first request. A signal a second or more later exits immediately, with exit code 1. */
export function onStopRequest(stop: () => void): void {
  let requestedAt: number | undefined;
  const request = (): void => {
    if (requestedAt !== undefined) return;
    requestedAt = performance.now();
    stop();
  };
  const onSignal = (): void => {
    if (requestedAt !== undefined && performance.now() - requestedAt >= ONE_REQUEST_MS) process.exit(EXIT.failed);
    request();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  process.once('disconnect', request);
}
