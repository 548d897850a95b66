import { describe, expect, test } from 'vitest';
import { isPressed } from '../../../ui/pressed-keys.ts';
import { keyCapsOf, type Shortcut } from '../../../ui/shortcuts.ts';
import { STEP_SHORTCUTS, tooltipOf } from './step-shortcuts.ts';

const NOTHING_HELD = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

describe('a pressed key', () => {
  test.each<[key: string, held: Partial<typeof NOTHING_HELD>, shortcut: Shortcut, isIt: boolean]>([
    ['z', { ctrlKey: true }, STEP_SHORTCUTS.undo, true],
    ['z', { metaKey: true }, STEP_SHORTCUTS.undo, true],
    ['Z', { ctrlKey: true, shiftKey: true }, STEP_SHORTCUTS.undo, false],
    ['Z', { metaKey: true, shiftKey: true }, STEP_SHORTCUTS.redo, true],
    ['y', { ctrlKey: true }, STEP_SHORTCUTS.redo, true],
    ['z', {}, STEP_SHORTCUTS.undo, false],
    ['d', { ctrlKey: true, altKey: true }, STEP_SHORTCUTS.duplicateStep, false],
    ['ArrowUp', { altKey: true }, STEP_SHORTCUTS.moveStepUp, true],
    ['ArrowUp', {}, STEP_SHORTCUTS.moveStepUp, false],
    // With and without Shift, as the keyboard needs it.
    ['+', { shiftKey: true }, STEP_SHORTCUTS.insertStep, true],
    ['+', {}, STEP_SHORTCUTS.insertStep, true],
    ['+', { ctrlKey: true }, STEP_SHORTCUTS.insertStep, false],
    ['Insert', {}, STEP_SHORTCUTS.insertStep, true],
    ['Insert', { shiftKey: true }, STEP_SHORTCUTS.insertStep, false],
    ['Backspace', {}, STEP_SHORTCUTS.deleteStep, true],
  ])('%s with %o is recognized', (key, held, shortcut, isIt) => {
    expect(isPressed({ ...NOTHING_HELD, key, ...held }, shortcut)).toBe(isIt);
  });
});

describe('keys are shown as they are written', () => {
  test('on the keyboard of a Mac', () => {
    expect(keyCapsOf('Mod+Shift+Z', true)).toEqual(['⌘', '⇧', 'Z']);
    expect(keyCapsOf('Ctrl+Space', true)).toEqual(['⌃', 'Space']);
    expect(tooltipOf('Move up', STEP_SHORTCUTS.moveStepUp, true)).toBe('Move up (⌥↑)');
  });

  test('on other keyboards', () => {
    expect(keyCapsOf('Mod+Enter', false)).toEqual(['Ctrl', '⏎']);
    expect(tooltipOf('Add step after', STEP_SHORTCUTS.insertStep, false)).toBe('Add step after (+)');
    expect(tooltipOf('Redo', STEP_SHORTCUTS.redo, false)).toBe('Redo (Ctrl+Shift+Z)');
    expect(tooltipOf('Show in the source', undefined, false)).toBe('Show in the source');
  });
});
