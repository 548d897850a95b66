// The keys that more than one part of the studio names: what listens for a key, its button or tooltip, and the list of all keys.

/**
 * Keys that do the same; the first one is shown. Keys that are held down come first, joined by `+`: `Mod` is Cmd on a Mac
 * and Ctrl elsewhere, and `Ctrl` is Ctrl everywhere.
 */
export type Shortcut = readonly [shown: string, ...others: string[]];

export const SHORTCUTS = {
  search: ['Mod+K'],
  help: ['?'],
  scheme: ['t'],
  answerLater: ['l'],
  run: ['Mod+Enter'],
  save: ['Mod+S'],
  complete: ['Ctrl+Space'],
  leaveEditor: ['Esc'],
} as const satisfies Readonly<Record<string, Shortcut>>;

const SYMBOLS: Readonly<Record<string, string>> = {
  Enter: '⏎',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
};
const ON_APPLE: Readonly<Record<string, string>> = { Mod: '⌘', Ctrl: '⌃', Alt: '⌥', Shift: '⇧' };

/** Whether this keyboard has Cmd. */
export const IS_APPLE = /Macintosh|iPhone|iPad/.test(globalThis.navigator?.userAgent ?? '');

/** What is written on the keys of a combination. */
export function keyCapsOf(combination: string, isApple = IS_APPLE): string[] {
  const names = { ...SYMBOLS, ...(isApple ? ON_APPLE : { Mod: 'Ctrl' }) };
  return keysIn(combination).map((key) => names[key] ?? key);
}

/** The keys of a combination. A `+` at the end is the key itself. */
export function keysIn(combination: string): string[] {
  return combination.split(/\+(?=.)/);
}
