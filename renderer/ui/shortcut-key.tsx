import { Kbd } from '@mantine/core';
import { keyCapsOf, type Shortcut } from './shortcuts.ts';

/** The keys of a shortcut, on the button that does the same. */
export function ShortcutKey({ of: [shown] }: { of: Shortcut }) {
  return <Kbd size="xs">{keyCapsOf(shown).join(' ')}</Kbd>;
}
