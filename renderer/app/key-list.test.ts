import { expect, test } from 'vitest';
import { STEP_SHORTCUTS } from '../places/definitions/visual/step-shortcuts.ts';
import { SHORTCUTS } from '../ui/shortcuts.ts';
import { keySections } from './key-list.ts';
import { PLACES } from './places.ts';

test('the list has every shortcut and every page, each with what it does', () => {
  const rows = keySections(PLACES).flatMap((section) => section.rows);
  for (const keys of [...Object.values(SHORTCUTS), ...Object.values(STEP_SHORTCUTS)])
    expect(rows.map((row) => row.keys)).toContainEqual(keys);
  for (const { key, title } of PLACES) expect(rows).toContainEqual({ keys: [`g ${key}`], action: title });
});

test('no key does two things in a section', () => {
  for (const { title, rows } of keySections(PLACES)) {
    const keys = rows.flatMap((row) => row.keys);
    expect({ title, keys: [...new Set(keys)] }).toEqual({ title, keys });
  }
});
