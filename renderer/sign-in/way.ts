// How people sign in to the studio of a published server. The session (session.ts) asks its way for the credential before
// each request, and never keeps it itself.

export interface TypedKey {
  /** An API key, as the person pasted it. */
  key: string;
  /**
   * Keep it until the tab is closed, also over reloads; otherwise it is gone with the page.
   */
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
