import './live-list.css';
import { Button, Checkbox } from '@mantine/core';
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { ArrowUp } from 'lucide-react';
import {
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { TOP, useScrollPosition } from './scroll-position.ts';
import { type Column, ListRow } from './list-row.tsx';
import { useKeys } from './keyboard.ts';
import { type RowSelecting, type RowSelection, useRowSelection } from './row-selection.ts';
import { useIsNarrow } from './use-narrow.ts';
import { useRowKeys } from './use-row-keys.ts';

export type { Column } from './list-row.tsx';
export type { RowSelection } from './row-selection.ts';

export interface LiveListProps<Item> {
  label: string;
  columns: readonly Column[];
  items: readonly Item[];
  keyOf: (item: Item) => string;
  /**
   * One element per column, one of which is the link of the row. All rows are rendered again if the function changes.
   */
  cells: (item: Item) => readonly ReactNode[];
  rowHeight?: number;
  /** For a list that is read page by page and grows at its start. */
  paging?: Paging;
  /** The list shows all its entries, and the page scrolls instead of the list. */
  isPart?: boolean;
  /** The details below the row of an open entry; false for an entry that is not open. */
  below?: (item: Item) => ReactNode;
  /** How far an entry is indented, in levels. */
  depthOf?: (item: Item) => number;
  /** Shows a checkbox in each row. `x` selects the row with the focus, with Shift all rows back to the last one. */
  selection?: RowSelection<Item> | undefined;
  /** The key of an entry to scroll to, once it is in the list. */
  revealed?: string | undefined;
}

export interface Paging {
  /** Identifies the list, so that going back restores its scroll position. */
  list: string;
  /** How many entries arrived while the list was scrolled. */
  newCount: number;
  showNew: () => void;
  /** Called when the list scrolls. */
  setAtTop: (isAtTop: boolean) => void;
  /** Called when the last rows are near. */
  onEnd: () => void;
  /** True if there are more entries than are loaded. */
  hasMore: boolean;
}

/** Pixels: a card with a title and a line, and the gap between cards. */
const CARD_HEIGHT = 64;
const CARD_GAP = 8;
/** Pixels between columns, and beside the first and the last. */
const GAP = 14;
const PADDING = 10;
/** Pixels: the column of the checkboxes. */
const CHECKBOX = 20;

/**
 * A list of any length: only visible rows are in the page. `j` and `k` move through it. On a narrow page rows are
 * cards.
 */
export function LiveList<Item>(props: LiveListProps<Item>) {
  const { label, columns, items, cells, rowHeight = 44, paging, isPart = false, below, depthOf, selection } = props;
  const root = useRef<HTMLDivElement>(null);
  const hasCards = useIsNarrow();
  const { rows, margin } = useRows(props, root, hasCards);
  const selecting = useRowSelection(items, selection);
  useSelectKeys(root, selecting);
  const hasSelection = selection !== undefined;
  const grid = useMemo(() => {
    const tracks = columns.map(({ width }) => width);
    const gridTemplateColumns = (hasSelection ? [`${CHECKBOX}px`, ...tracks] : tracks).join(' ');
    return { display: 'grid', gridTemplateColumns, columnGap: GAP };
  }, [columns, hasSelection]);
  return (
    <div className={isPart ? 'list-frame list-part' : 'list-frame'} data-cards={hasCards || undefined}>
      <div role="status">
        {paging !== undefined && paging.newCount > 0 && <NewButton paging={paging} list={root} />}
      </div>
      <div
        ref={root}
        className="list"
        tabIndex={-1}
        onScroll={({ currentTarget }) => paging?.setAtTop(currentTarget.scrollTop < TOP)}
      >
        <div
          role="table"
          aria-label={label}
          style={{ minWidth: hasCards ? undefined : leastWidth(columns, hasSelection) }}
          aria-rowcount={paging?.hasMore === true ? -1 : items.length + 1}
        >
          <div role="row" className="list-head" style={grid} aria-rowindex={1}>
            {selecting !== undefined && !hasCards && <SelectAll {...selecting} />}
            {columns.map(({ title }) => (
              <span role="columnheader" key={title}>
                {title}
              </span>
            ))}
          </div>
          <div role="rowgroup" style={{ height: rows.getTotalSize(), position: 'relative' }}>
            {rows.getVirtualItems().map(({ key, index, start }) => {
              const item = items[index] as Item;
              const opened = below?.(item) ?? false;
              const id = selection?.idOf(item);
              return (
                <div
                  key={key}
                  role="none"
                  data-index={index}
                  className="entry"
                  ref={hasCards || below !== undefined ? rows.measureElement : undefined}
                  style={{ transform: `translateY(${start - margin}px)`, ['--depth' as string]: depthOf?.(item) }}
                >
                  <ListRow
                    index={index}
                    height={hasCards ? undefined : rowHeight}
                    grid={hasCards ? undefined : grid}
                    columns={columns}
                    item={item}
                    cells={cells as (item: unknown) => readonly ReactNode[]}
                    isSelected={id === undefined ? undefined : selection?.selected.has(id)}
                    selectLabel={id === undefined ? undefined : selection?.labelOf(item)}
                    onSelect={selecting?.toggle}
                  />
                  {opened !== false && (
                    <div role="row" className="entry-below">
                      <div role="cell" aria-colspan={columns.length}>
                        {opened}
                      </div>
                    </div>
                  )}
                </div>
              );
            })}
          </div>
        </div>
      </div>
    </div>
  );
}

type Root = RefObject<HTMLDivElement | null>;
type Rows = Virtualizer<HTMLElement, Element>;

/** The rows that are in the page, and the height in pixels of the page above them. */
function useRows<Item>(props: LiveListProps<Item>, root: Root, hasCards: boolean): { rows: Rows; margin: number } {
  const { label, items, keyOf, rowHeight = 44, paging, isPart = false } = props;
  const scroller = useCallback(
    () => (isPart ? (root.current?.closest<HTMLElement>('.page') ?? null) : root.current),
    [isPart],
  );
  const initialOffset = useScrollPosition(paging?.list ?? label, scroller);
  const margin = useMargin(root, scroller, isPart);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: scroller,
    estimateSize: () => (hasCards ? CARD_HEIGHT : rowHeight),
    getItemKey: (index) => (index < items.length ? keyOf(items[index] as Item) : index),
    gap: hasCards ? CARD_GAP : 0,
    scrollMargin: margin,
    initialOffset,
    overscan: 12,
  });
  // Cards and rows have different heights.
  const measuredCards = useRef(hasCards);
  useLayoutEffect(() => {
    if (measuredCards.current === hasCards) return;
    measuredCards.current = hasCards;
    rows.measure();
  });
  const visible = rows.getVirtualItems();
  const last = visible.at(-1)?.index ?? 0;
  useEffect(() => {
    if (items.length > 0 && last >= items.length - 20) paging?.onEnd();
  });
  useKeptPosition(rows, props, scroller);
  useReveal(rows, props, root);
  useRowKeys(root, items.length, (index) => rows.scrollToIndex(index));
  return { rows, margin };
}

/** After a refetch there may be more or fewer entries above: the visible entries keep their position. */
function useKeptPosition<Item>(
  rows: Rows,
  { items, keyOf }: LiveListProps<Item>,
  scroller: () => HTMLElement | null,
): void {
  const first = rows.getVirtualItems().find(({ end }) => end > (rows.scrollOffset ?? 0));
  const anchor = useRef(first);
  useLayoutEffect(() => {
    const before = anchor.current;
    anchor.current = first;
    const { scrollTop = 0 } = scroller() ?? {};
    if (before === undefined || scrollTop < TOP || rows.options.getItemKey(before.index) === before.key) return;
    const now = items.findIndex((item) => keyOf(item) === before.key);
    if (now >= 0) rows.scrollToOffset(scrollTop + (now - before.index) * before.size);
  });
}

function useReveal<Item>(rows: Rows, { items, keyOf, revealed }: LiveListProps<Item>, root: Root): void {
  const revealedAt = revealed === undefined ? -1 : items.findIndex((item) => keyOf(item) === revealed);
  const isFound = revealedAt !== -1;
  useEffect(() => {
    const isRendered = root.current?.querySelector(`[data-index="${revealedAt}"]`) !== null;
    if (isFound && !isRendered) rows.scrollToIndex(revealedAt, { align: 'center' });
    // Once: afterwards the person may scroll.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- as the line above says
  }, [revealed, isFound]);
}

function useSelectKeys(root: Root, selecting: RowSelecting | undefined): void {
  const select = (isRange: boolean): void => {
    const focused = root.current?.contains(document.activeElement) === true ? document.activeElement : undefined;
    const index = focused?.closest<HTMLElement>('[data-index]')?.dataset['index'];
    if (index !== undefined) selecting?.toggle(Number(index), isRange);
  };
  useKeys(selecting === undefined ? {} : { x: () => select(false), X: () => select(true) });
}

function NewButton({ paging, list }: { paging: Paging; list: Root }) {
  return (
    <Button
      size="compact-sm"
      radius="xl"
      leftSection={<ArrowUp size={14} aria-hidden />}
      className="list-new"
      onClick={() => {
        list.current?.scrollTo({ top: 0 });
        // The button disappears, and must not take the focus with it.
        list.current?.focus({ preventScroll: true });
        paging.showNew();
      }}
    >
      {paging.newCount} new
    </Button>
  );
}

function SelectAll({ selected, toggleAll }: RowSelecting) {
  return (
    <span role="columnheader" className="row-select">
      <Checkbox
        size="xs"
        aria-label="Select all"
        checked={selected === 'all'}
        indeterminate={selected === 'some'}
        onChange={toggleAll}
      />
    </span>
  );
}

/** Pixels; undefined if a column does not say how wide it is at least. */
function leastWidth(columns: readonly Column[], hasSelection: boolean): number | undefined {
  const widths = columns.flatMap(({ least }) => (least === undefined ? [] : [least]));
  if (widths.length < columns.length) return undefined;
  const tracks = hasSelection ? [CHECKBOX, ...widths] : widths;
  return tracks.reduce((sum, width) => sum + width, 2 * PADDING + GAP * (tracks.length - 1));
}

/** The height in pixels of the page above the rows. */
function useMargin(
  root: { readonly current: HTMLElement | null },
  scroller: () => HTMLElement | null,
  isPart: boolean,
) {
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => {
    const rows = root.current?.querySelector('[role="rowgroup"]');
    const page = scroller();
    if (!isPart || rows == null || page === null) return;
    setMargin(Math.round(rows.getBoundingClientRect().top - page.getBoundingClientRect().top + page.scrollTop));
  });
  return margin;
}
