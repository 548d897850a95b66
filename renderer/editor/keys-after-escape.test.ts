import { describe, expect, test } from 'vitest';
import { keyForEditor } from './keys-after-escape.ts';

const NO_MODIFIERS = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

function pressed(key: string, modifiers: Partial<typeof NO_MODIFIERS> & { altGraph?: boolean } = {}) {
  const { altGraph = false, ...keys } = modifiers;
  return { key, ...NO_MODIFIERS, ...keys, getModifierState: () => altGraph };
}

describe('after Escape', () => {
  test.each([
    ['a letter', pressed('g')],
    ['a capital letter', pressed('G', { shiftKey: true })],
    ['a space', pressed(' ')],
    ['a dead key', pressed('Dead')],
    ['the key of an input method', pressed('Process')],
    ['a bracket with AltGr on Linux', pressed('{', { altGraph: true })],
    ['a bracket with AltGr on Windows', pressed('{', { altGraph: true, ctrlKey: true, altKey: true })],
    ['a bracket with Option on a Mac', pressed('[', { altKey: true })],
  ])('%s is typed into the document', (_what, event) => {
    expect(keyForEditor(event)).toBe('text');
  });

  test.each([
    ['Enter', { command: 'type', payload: { text: '\n' } }],
    ['Backspace', { command: 'deleteLeft' }],
    ['Delete', { command: 'deleteRight' }],
    ['ArrowUp', { command: 'cursorUp' }],
    ['End', { command: 'cursorEnd' }],
  ])('%s does in the document what it does there', (key, command) => {
    expect(keyForEditor(pressed(key))).toEqual(command);
  });

  test('Shift with an arrow selects', () => {
    expect(keyForEditor(pressed('ArrowLeft', { shiftKey: true }))).toEqual({ command: 'cursorLeftSelect' });
  });

  test.each([
    ['Tab', pressed('Tab')],
    ['Escape', pressed('Escape')],
    ['a function key', pressed('F1')],
    ['a modifier', pressed('Shift', { shiftKey: true })],
    ['save', pressed('s', { ctrlKey: true })],
    ['run', pressed('Enter', { metaKey: true })],
    ['a menu of Windows', pressed('f', { altKey: true })],
    ['back', pressed('ArrowLeft', { altKey: true })],
  ])('%s stays a key of the page', (_what, event) => {
    expect(keyForEditor(event)).toBeUndefined();
  });
});
