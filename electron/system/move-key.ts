// The dialog that shows where the data key is kept, and moves it.
import { assertNever } from '../../shared/assert-never.ts';
import type { KeyPlace } from '../../shared/desktop.ts';
import type { ServerLifetime } from '../server/server-lifetime.ts';

export interface MoveKeyOptions {
  server: Pick<ServerLifetime, 'call'>;
  /** Shows a dialog. @returns the index of the chosen button. The last button changes nothing. */
  ask: (question: { message: string; detail: string; buttons: string[] }) => Promise<number>;
}

export async function moveKey({ server, ask }: MoveKeyOptions): Promise<void> {
  try {
    const location = await server.call('keyPlace', null);
    const { detail, move } = dialogOf(location);
    const chosen = await ask({
      message: 'Secret store key',
      detail,
      buttons: move === undefined ? ['Close'] : [move.button, 'Close'],
    });
    if (move === undefined || chosen !== 0) return;
    await ask({
      message: 'The key was moved',
      detail: dialogOf(await server.call(move.by, null)).detail,
      buttons: ['Close'],
    });
  } catch (error) {
    const detail = error instanceof Error ? error.message : 'The server gave no reason; see the log.';
    await ask({ message: 'The key was not moved', detail, buttons: ['Close'] });
  }
}

interface DialogText {
  detail: string;
  move?: { by: 'keepKeyInSystem' | 'keepKeyInFile'; button: string };
}

function dialogOf(location: KeyPlace): DialogText {
  switch (location) {
    case 'nowhere':
      return { detail: `No secret has been stored yet, so there is no key. ${OFFER}`, move: TO_SYSTEM };
    case 'file':
      return {
        detail: `The credentials of connections are encrypted with a key in the file secrets.key of the data directory, which only you can read. ${OFFER}`,
        move: TO_SYSTEM,
      };
    case 'system':
      return {
        detail: `The system's key store contains the key for this app. A server that another program starts (cuebook serve, or an agent's cuebook mcp) has no key, and its connections are unavailable until this app runs.`,
        move: { by: 'keepKeyInFile', button: 'Move to File' },
      };
    case 'given':
      return { detail: 'The key is set in the environment variable SECRETS_KEY, and cannot be moved here.' };
    default:
      return assertNever(location);
  }
}

const TO_SYSTEM = { by: 'keepKeyInSystem', button: 'Move to Key Store' } as const;
const OFFER =
  "You can move it to the system's key store. Then only this app can use it, for your user account, and a server that another program starts has no key.";
