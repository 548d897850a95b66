import { keysIn, type Shortcut } from './shortcuts.ts';

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** Whether a key event is one of the keys of a shortcut. */
export function isPressed({ key, ctrlKey, metaKey, altKey, shiftKey }: Pressed, shortcut: Shortcut): boolean {
  return shortcut.some((combination) => {
    const keys = keysIn(combination);
    const last = keys.at(-1) ?? '';
    const hasCommand = keys.includes('Mod');
    // `+` and `?` need Shift on some keyboards, and not on others.
    const isShiftFree = last.length === 1 && !hasCommand;
    return (
      key.toLowerCase() === last.toLowerCase() &&
      (ctrlKey || metaKey) === hasCommand &&
      altKey === keys.includes('Alt') &&
      (isShiftFree || shiftKey === keys.includes('Shift'))
    );
  });
}
