// What signing in needs of the browser.

/** What stays until the tab is closed. */
export type TabStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** The session storage; a disabled one holds nothing. */
export function tabStorage(): TabStorage {
  try {
    return window.sessionStorage;
  } catch {
    return { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };
  }
}

export interface Browser {
  storage: TabStorage;
  address: () => URL;
  /** Replaces the address without loading it. */
  replaceAddress: (address: string) => void;
  /** Leaves the page. It settles only if the person comes back to the same page: it throws then. */
  leaveTo: (address: string) => Promise<never>;
  /** Opens an empty window, in response to a click. @returns undefined if the browser blocks it */
  openWindow: () => OpenedWindow | undefined;
  closeWindow: () => void;
  /** To the other windows and tabs of the same origin. */
  channel: Pick<BroadcastChannel, 'postMessage' | 'addEventListener'>;
}

interface OpenedWindow {
  goTo: (address: string) => void;
  close: () => void;
}

export function currentBrowser(): Browser {
  return {
    storage: tabStorage(),
    address: () => new URL(location.href),
    replaceAddress: (address) => history.replaceState(null, '', address),
    async leaveTo(address) {
      location.assign(address);
      return new Promise((_resolve, reject) => {
        // The browser may show the page as it was when the person goes back.
        const cameBack = (): void => reject(new Error('You came back without signing in. Sign in again.'));
        window.addEventListener('pageshow', cameBack, { once: true });
      });
    },
    openWindow() {
      const opened = window.open('', '', 'popup,width=520,height=720');
      if (opened === null) return undefined;
      return { goTo: (address) => opened.location.replace(address), close: () => opened.close() };
    },
    closeWindow: () => window.close(),
    channel: new BroadcastChannel('cuebook-openid'),
  };
}
