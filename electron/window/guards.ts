// What the window's page may not do, whatever it holds.
import { isStudio, outsideAddress } from './addresses.ts';

/** What is used of a window's `webContents`. */
export interface GuardedContents {
  on(event: 'will-navigate' | 'will-frame-navigate' | 'will-redirect', listener: (event: Navigation) => void): unknown;
  on(event: 'will-attach-webview', listener: (event: { preventDefault(): void }) => void): unknown;
  setWindowOpenHandler(handler: (details: { url: string }) => { action: 'deny' }): void;
}

interface Navigation {
  readonly url: string;
  preventDefault(): void;
}

export interface GuardOptions {
  /** The address of the server; undefined while there is none. */
  server: () => string | undefined;
  /** Opens an address in the system's browser. */
  openOutside: (url: string) => void;
}

/** The page stays where it is: it opens no window, and what it links to elsewhere is opened outside, where that is https. */
export function guardContents(contents: GuardedContents, { server, openOutside }: GuardOptions): void {
  const leave = (url: string): void => {
    const address = outsideAddress(url);
    if (address !== undefined) openOutside(address);
  };
  contents.on('will-navigate', (event) => {
    if (isStudio(event.url, server())) return;
    event.preventDefault();
    leave(event.url);
  });
  for (const going of ['will-frame-navigate', 'will-redirect'] as const) {
    contents.on(going, (event) => {
      if (!isStudio(event.url, server())) event.preventDefault();
    });
  }
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    leave(url);
    return { action: 'deny' };
  });
}

/** What is used of the window's session. */
export interface GuardedSession {
  setPermissionRequestHandler(
    handler: (
      contents: unknown,
      permission: string,
      answer: (isGranted: boolean) => void,
      details: { requestingUrl: string },
    ) => void,
  ): void;
  setPermissionCheckHandler(handler: (contents: unknown, permission: string, origin: string) => boolean): void;
  setDevicePermissionHandler(handler: () => boolean): void;
  webRequest: {
    onBeforeRequest(
      listener: (details: { url: string }, answer: (response: { cancel: boolean }) => void) => void,
    ): void;
    onHeadersReceived(
      listener: (
        details: { url: string; resourceType: string; responseHeaders?: Record<string, string[]> },
        answer: (response: { responseHeaders: Record<string, string[]> }) => void,
      ) => void,
    ): void;
  };
}

/** What a page without a policy of its own may do: show its text. The studio comes with one that lets it work. */
const BARE_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** Every right but notifications is denied, every request but those to the server, and every page has a policy. */
export function guardSession(session: GuardedSession, server: () => string | undefined): void {
  const isOwn = (url: string): boolean => URL.canParse(url) && new URL(url).origin === server();
  session.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl }) =>
    answer(permission === 'notifications' && isOwn(requestingUrl)),
  );
  session.setPermissionCheckHandler((_contents, permission, origin) => permission === 'notifications' && isOwn(origin));
  session.setDevicePermissionHandler(() => false);
  session.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !isOwn(url) && !isWithin(url) }));
  session.webRequest.onHeadersReceived(({ resourceType, responseHeaders = {} }, answer) => {
    const hasPolicy = Object.keys(responseHeaders).some((name) => name.toLowerCase() === 'content-security-policy');
    const isPage = resourceType === 'mainFrame' || resourceType === 'subFrame';
    const added = isPage && !hasPolicy ? { 'Content-Security-Policy': [BARE_POLICY] } : {};
    answer({ responseHeaders: { ...responseHeaders, ...added } });
  });
}

/** What a page holds itself, and the tools that look into it: neither leaves the app. */
function isWithin(url: string): boolean {
  return /^(data|blob|devtools):/.test(url);
}
