import { Anchor } from '@mantine/core';
import { desktop } from './desktop.ts';

/** What starts the service again: a command, or the desktop app that the studio stands in. */
export function HowToStart() {
  if (desktop === undefined) {
    return (
      <>
        <code>npm start</code> starts it.
      </>
    );
  }
  return (
    <>
      the app starts it.{' '}
      <Anchor component="button" onClick={() => void desktop?.startServer()}>
        Start it now
      </Anchor>{' '}
      or{' '}
      <Anchor component="button" onClick={() => void desktop?.showLog()}>
        look at the log
      </Anchor>
      .
    </>
  );
}
