// A person asks where the data key is kept, and moves it.
import { assertNever } from '../../shared/assert-never.ts';
import type { KeyPlace } from '../../shared/desktop.ts';
import type { ServerLifetime } from '../server/server-lifetime.ts';

export interface MoveKeyOptions {
  server: Pick<ServerLifetime, 'ask'>;
  /** Asks the person; answers the index of the button. The last one changes nothing. */
  ask: (question: { message: string; detail: string; buttons: string[] }) => Promise<number>;
}

export async function moveKey({ server, ask }: MoveKeyOptions): Promise<void> {
  try {
    const place = await server.ask('keyPlace', null);
    const { detail, move } = wordsOf(place);
    const chosen = await ask({
      message: 'The key of the secret store',
      detail,
      buttons: move === undefined ? ['Close'] : [move.button, 'Close'],
    });
    if (move === undefined || chosen !== 0) return;
    await ask({ message: 'Done', detail: wordsOf(await server.ask(move.by, null)).detail, buttons: ['Close'] });
  } catch (error) {
    const detail = error instanceof Error ? error.message : 'It failed.';
    await ask({ message: 'The key was not moved', detail, buttons: ['Close'] });
  }
}

interface Words {
  detail: string;
  move?: { by: 'keepKeyInSystem' | 'keepKeyInFile'; button: string };
}

function wordsOf(place: KeyPlace): Words {
  switch (place) {
    case 'nowhere':
      return { detail: `No secret was kept yet, and no key was made. ${OFFER}`, move: TO_SYSTEM };
    case 'file':
      return {
        detail: `Connections' credentials are sealed under a key that stands in the file secrets.key of the data directory, for you alone to read. ${OFFER}`,
        move: TO_SYSTEM,
      };
    case 'system':
      return {
        detail: `The system keeps the key for this app. A server that something else starts (cuebook serve, an agent's cuebook mcp) has no key: its connections wait until this app runs.`,
        move: { by: 'keepKeyInFile', button: 'Keep it in the file again' },
      };
    case 'given':
      return { detail: 'SECRETS_KEY gives the key; whoever sets it keeps it.' };
    default:
      return assertNever(place);
  }
}

const TO_SYSTEM = { by: 'keepKeyInSystem', button: 'Let the system keep it' } as const;
const OFFER =
  'The system can keep it instead, among the keys of your programs: then it opens for this app and this user alone, and a server that something else starts has no key.';
