import type { SignInWay } from './way.ts';

const STORED = 'cuebook.key';

/** Signs in with an API key. It is held in memory and, if the person wants that, in the session storage of the tab. */
export function createKeyWay(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = safeStorage()): SignInWay {
  let held = storage.getItem(STORED) ?? undefined;
  return {
    token: async () => held,
    async signIn({ key, isKept }) {
      held = key;
      if (isKept) storage.setItem(STORED, key);
      else storage.removeItem(STORED);
    },
    async signOut() {
      held = undefined;
      storage.removeItem(STORED);
    },
  };
}

/** The session storage; a disabled one holds nothing. */
function safeStorage(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  try {
    return window.sessionStorage;
  } catch {
    return { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };
  }
}

/** The way that the page at `/` names; undefined in local mode, where it names none. */
export function wayOfPage(): SignInWay | undefined {
  const name = globalThis.document?.querySelector<HTMLMetaElement>('meta[name="cuebook-sign-in"]')?.content;
  return name === undefined ? undefined : createKeyWay();
}
