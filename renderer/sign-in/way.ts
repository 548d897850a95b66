// How people sign in to the studio of a published server. The page at `/` names the way; in local mode it names none.
import { createKeyWay } from './key-way.ts';

export interface TypedKey {
  key: string;
  /** Keep it until the tab is closed. */
  isKept: boolean;
}

export interface SignInWay {
  /** The credential of the next request; undefined if nobody is signed in. */
  token: () => Promise<string | undefined>;
  /** Makes `token` return the credential of a person. */
  signIn: (typed: TypedKey) => Promise<void>;
  /** Forgets the credential. */
  signOut: () => Promise<void>;
}

/** The way that the page names. */
export function wayOfPage(): SignInWay | undefined {
  const name = globalThis.document?.querySelector<HTMLMetaElement>('meta[name="cuebook-sign-in"]')?.content;
  return name === undefined ? undefined : createKeyWay();
}
