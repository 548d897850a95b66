import { IS_APPLE, keyCapsOf, type Shortcut } from '../../../ui/shortcuts.ts';

/** The keys of the graph in which the steps of a workflow are edited. */
export const STEP_SHORTCUTS = {
  undo: ['Mod+Z'],
  redo: ['Mod+Shift+Z', 'Mod+Y'],
  editStep: ['Enter'],
  renameStep: ['F2'],
  // Not every keyboard has Insert.
  insertStep: ['+', 'Insert'],
  duplicateStep: ['Mod+D'],
  moveStepUp: ['Alt+ArrowUp'],
  moveStepDown: ['Alt+ArrowDown'],
  deleteStep: ['Delete', 'Backspace'],
} as const satisfies Readonly<Record<string, Shortcut>>;

/** The tooltip of what a shortcut does, too. */
export function tooltipOf(label: string, shortcut: Shortcut | undefined, isApple = IS_APPLE): string {
  if (shortcut === undefined) return label;
  return `${label} (${keyCapsOf(shortcut[0], isApple).join(isApple ? '' : '+')})`;
}
