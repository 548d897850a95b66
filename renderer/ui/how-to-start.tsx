import { Anchor } from '@mantine/core';
import { desktop } from './desktop.ts';

/** How to restart the service: with a command, or in the desktop app. Completes a sentence. */
export function HowToStart() {
  if (desktop === undefined) {
    return (
      <>
        start it with <code>npm start</code>.
      </>
    );
  }
  return (
    <>
      the app restarts it.{' '}
      <Anchor component="button" onClick={() => void desktop?.startServer()}>
        Start it now
      </Anchor>{' '}
      or{' '}
      <Anchor component="button" onClick={() => void desktop?.showLog()}>
        show the log
      </Anchor>
      .
    </>
  );
}
