import { useLayoutEffect, useRef } from 'react';

/** Milliseconds between the keys of a sequence such as `g r`. */
const LONGEST_PAUSE = 1_000;

export type Keys = Readonly<Record<string, () => void>>;

/** Runs the action of a key (`?`) or of a sequence (`g r`), unless the person is typing. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  useLayoutEffect(() => {
    latest.current = keys;
  });
  useLayoutEffect(() => {
    let before = '';
    let at = 0;
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event)) return;
      const sequence = event.timeStamp - at < LONGEST_PAUSE ? `${before} ${event.key}` : event.key;
      before = event.key;
      at = event.timeStamp;
      const call = latest.current[sequence] ?? latest.current[event.key];
      if (call === undefined) return;
      event.preventDefault();
      before = '';
      call();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}

/**
 * Calls `action` on Ctrl or Cmd with a key, wherever the focus is. Neither the editor nor the browser sees the key. An
 * open dialog keeps Enter for itself, but never `s`: the browser would save its page.
 */
export function useCommandKey(key: 'Enter' | 's', action: () => void): void {
  const latest = useRef(action);
  // Layout effects, so that the key works from the moment in which the page is visible.
  useLayoutEffect(() => {
    latest.current = action;
  });
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== key.toLowerCase()) return;
      const isInDialog = event.target instanceof HTMLElement && event.target.closest('[role="dialog"]') !== null;
      if (key === 'Enter' && isInDialog) return;
      event.preventDefault();
      event.stopPropagation();
      // A key that is held down counts once.
      if (!event.repeat) latest.current();
    };
    document.addEventListener('keydown', press, { capture: true });
    return () => document.removeEventListener('keydown', press, { capture: true });
  }, [key]);
}

/** True if the person is typing in a field or an editor or answering a dialog: then a key is text, not a shortcut. */
export function isTyping({ target }: KeyboardEvent): boolean {
  return target instanceof HTMLElement && (isField(target) || target.closest('[role="dialog"], .editor-foot') !== null);
}

const TEXT_FIELD = `input:not(${['button', 'checkbox', 'color', 'file', 'image', 'radio', 'range', 'reset', 'submit']
  .map((type) => `[type="${type}"]`)
  .join(', ')}), textarea, select, [role="textbox"]`;

/** True for an element that takes text. A list counts: a letter chooses the entry that begins with it. */
export function isField(element: HTMLElement): boolean {
  return element.isContentEditable || element.closest(TEXT_FIELD) !== null;
}
