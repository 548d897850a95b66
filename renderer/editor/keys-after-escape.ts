// Keys that a person presses after Escape left the editor, and that belong to the document.

/** What is read of a keyboard event. */
export interface PressedKey {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
  getModifierState: (name: 'AltGraph') => boolean;
}

export interface EditorCommand {
  command: string;
  payload?: { text: string };
}

/** The editor performs these on the press of a key, which it does not see if it gets the focus only then. */
const COMMANDS: ReadonlyMap<string, EditorCommand> = new Map([
  ['Enter', { command: 'type', payload: { text: '\n' } }],
  ['Backspace', { command: 'deleteLeft' }],
  ['Delete', { command: 'deleteRight' }],
  ['ArrowLeft', { command: 'cursorLeft' }],
  ['ArrowRight', { command: 'cursorRight' }],
  ['ArrowUp', { command: 'cursorUp' }],
  ['ArrowDown', { command: 'cursorDown' }],
  ['Home', { command: 'cursorHome' }],
  ['End', { command: 'cursorEnd' }],
]);

/** Keys that begin a character. */
const COMPOSING = new Set(['Dead', 'Process']);

/**
 * `text` for a character, which reaches the editor with the focus; a command for a key that edits or moves the cursor;
 * undefined for all other keys, which stay the page's.
 */
export function keyForEditor(event: PressedKey): 'text' | EditorCommand | undefined {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  if (key.length === 1 && event.getModifierState('AltGraph')) return 'text';
  if (ctrlKey || metaKey) return undefined;
  // Option writes characters on a Mac; elsewhere, Alt with a letter or a digit opens a menu.
  if (altKey) return key.length === 1 && !/[a-z0-9]/i.test(key) ? 'text' : undefined;
  if (key.length === 1 || COMPOSING.has(key)) return 'text';
  const command = COMMANDS.get(key);
  return shiftKey && command?.command.startsWith('cursor') ? { command: `${command.command}Select` } : command;
}
