// How people sign in to the studio of a published server.

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
