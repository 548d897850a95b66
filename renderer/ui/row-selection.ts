// Which entries of a list are selected. The list shows a checkbox in each row that can be selected.
import { useCallback, useLayoutEffect, useRef } from 'react';

export interface RowSelection<Item> {
  /** The ids of the selected entries. */
  selected: ReadonlySet<string>;
  /** Undefined for an entry that cannot be selected. An entry that is listed twice has the same id. */
  idOf: (item: Item) => string | undefined;
  /** The label of its checkbox. */
  labelOf: (item: Item) => string;
  onChange: (selected: ReadonlySet<string>) => void;
}

/**
 * The selection after the entry at `at` was clicked: the entry changes, and with a range all entries between it and
 * `from` become like it.
 * @param ids in the order of the list; undefined for an entry that cannot be selected
 * @param from undefined for a single entry
 */
export function selectionAfter(
  ids: readonly (string | undefined)[],
  selected: ReadonlySet<string>,
  at: number,
  from: number | undefined,
): ReadonlySet<string> {
  const clicked = ids[at];
  if (clicked === undefined) return selected;
  const isSelected = !selected.has(clicked);
  const other = from ?? at;
  const next = new Set(selected);
  for (const id of ids.slice(Math.min(at, other), Math.max(at, other) + 1)) {
    if (id === undefined) continue;
    if (isSelected) next.add(id);
    else next.delete(id);
  }
  return next;
}

export interface RowSelecting {
  /** Of the entries that can be selected. */
  selected: 'none' | 'some' | 'all';
  /** Selects all entries, or none if all are selected. */
  toggleAll: () => void;
  /** @param isRange whether the entries back to the one that was clicked last change too. The function stays the same. */
  toggle: (index: number, isRange: boolean) => void;
}

export function useRowSelection<Item>(
  items: readonly Item[],
  selection: RowSelection<Item> | undefined,
): RowSelecting | undefined {
  const latest = useRef({ items, selection });
  const last = useRef<string>(undefined);
  useLayoutEffect(() => {
    latest.current = { items, selection };
  });
  const toggle = useCallback((index: number, isRange: boolean) => {
    const now = latest.current;
    if (now.selection === undefined) return;
    const ids = now.items.map(now.selection.idOf);
    const from = isRange && last.current !== undefined ? ids.indexOf(last.current) : -1;
    last.current = ids[index];
    now.selection.onChange(selectionAfter(ids, now.selection.selected, index, from === -1 ? undefined : from));
  }, []);
  if (selection === undefined) return undefined;
  const ids = items.map(selection.idOf).filter((id) => id !== undefined);
  const count = ids.filter((id) => selection.selected.has(id)).length;
  return {
    selected: count === 0 ? 'none' : count < ids.length ? 'some' : 'all',
    toggleAll: () => selection.onChange(new Set(count < ids.length ? ids : [])),
    toggle,
  };
}
