// Restrictions of the window's page, whatever its content.
import { isStudio, externalUrl } from './urls.ts';

/** The parts of a window's `webContents` that are used. */
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
  /** The address of the server; undefined while it is not running. */
  server: () => string | undefined;
  /** Opens a URL in the system's browser. */
  openExternal: (url: string) => void;
}

/** Prevents navigation away from the studio and new windows. External https links open in the system's browser. */
export function guardContents(contents: GuardedContents, { server, openExternal }: GuardOptions): void {
  const openInBrowser = (url: string): void => {
    const address = externalUrl(url);
    if (address !== undefined) openExternal(address);
  };
  contents.on('will-navigate', (event) => {
    if (isStudio(event.url, server())) return;
    event.preventDefault();
    openInBrowser(event.url);
  });
  for (const navigation of ['will-frame-navigate', 'will-redirect'] as const) {
    contents.on(navigation, (event) => {
      if (!isStudio(event.url, server())) event.preventDefault();
    });
  }
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    openInBrowser(url);
    return { action: 'deny' };
  });
}

/** The parts of the window's session that are used. */
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

/** The policy of pages without their own: they may only show text. The studio has its own policy. */
const BARE_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/**
 * Denies all permissions except notifications and all requests except those to the server, and gives every page a
 * policy.
 */
export function guardSession(session: GuardedSession, server: () => string | undefined): void {
  const isServer = (url: string): boolean => URL.canParse(url) && new URL(url).origin === server();
  session.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl }) =>
    answer(permission === 'notifications' && isServer(requestingUrl)),
  );
  session.setPermissionCheckHandler(
    (_contents, permission, origin) => permission === 'notifications' && isServer(origin),
  );
  session.setDevicePermissionHandler(() => false);
  session.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !isServer(url) && !isInternal(url) }));
  session.webRequest.onHeadersReceived(({ resourceType, responseHeaders = {} }, answer) => {
    const hasPolicy = Object.keys(responseHeaders).some((name) => name.toLowerCase() === 'content-security-policy');
    const isPage = resourceType === 'mainFrame' || resourceType === 'subFrame';
    const added = isPage && !hasPolicy ? { 'Content-Security-Policy': [BARE_POLICY] } : {};
    answer({ responseHeaders: { ...responseHeaders, ...added } });
  });
}

/** True for data in the page itself and for the developer tools: neither leaves the app. */
function isInternal(url: string): boolean {
  return /^(data|blob|devtools):/.test(url);
}
