import { type TabStorage, tabStorage } from './browser.ts';
import type { SignInWay, TypedKey } from './way.ts';

const STORED = 'cuebook.key';

/** Signs in with an API key. It is held in memory and, if the person wants that, in the session storage of the tab. */
export function createKeyWay(storage: TabStorage = tabStorage()): SignInWay<TypedKey> {
  let held = storage.getItem(STORED) ?? undefined;
  function forget(): void {
    held = undefined;
    storage.removeItem(STORED);
  }
  return {
    token: async () => held,
    signIn:
      async ({ key, isKept }) =>
      () => {
        held = key;
        if (isKept) storage.setItem(STORED, key);
        else storage.removeItem(STORED);
      },
    forget,
    signOut: async () => forget(),
  };
}
