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

/** How the person chose to sign in; an API key is entered with the choice. */
export type SignInRequest = TypedKey | 'openid' | 'session';

/** Makes `token` return the credential of the person who signed in. */
export type Adopt = () => void;

/** @typeParam Request what the person enters or chooses */
export interface SignInWay<Request = SignInRequest> {
  /** The credential of the next request, renewed if necessary; undefined if nobody is signed in. */
  token: () => Promise<string | undefined>;
  /**
   * Lets a person sign in. Until `Adopt` is called, `token` returns what it returned before. The promise stays pending if
   * the person does not finish; they may then start again, or choose another way.
   * @param mayLeave whether it may leave the page; otherwise the page, and what the person wrote, must stay as it is
   * @throws an Error with a sentence for the person
   */
  signIn: (request: Request, mayLeave: boolean) => Promise<Adopt>;
  /** Forgets the credential in this tab. */
  forget: () => void;
  /** Forgets the credential, and ends the session at the identity service. May leave the page. */
  signOut: () => Promise<void>;
}

/** This window only served a sign-in of another one, which has received the result. */
export class OtherWindow extends Error {}

/** The operator's session module could not be used. The message is for the person. */
export class SessionModuleError extends Error {
  readonly title: string;

  constructor(message: string, title = 'Sign-in failed') {
    super(message);
    this.title = title;
  }
}
