import { Button } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowUp } from 'lucide-react';
import { type CSSProperties, memo, type ReactNode, useEffect, useMemo, useRef } from 'react';
import { useRowKeys } from './use-row-keys.ts';

export interface Column {
  title: string;
  /** As a track of a CSS grid. */
  width: string;
}

export interface LiveListProps<Item> {
  label: string;
  columns: readonly Column[];
  items: readonly Item[];
  keyOf: (item: Item) => string;
  /** One element a column; the link of the row carries `data-row-link`. Rows are drawn again where it is another. */
  cells: (item: Item) => readonly ReactNode[];
  rowHeight?: number;
  /** Of a list that is read page by page and grows at its beginning. */
  paging?: Paging;
  footer?: ReactNode;
}

export interface Paging {
  /** How many entries came in while the list was scrolled. */
  fresh: number;
  showFresh: () => void;
  /** Told as the list is scrolled. */
  setAtTop: (isAtTop: boolean) => void;
  /** Told when the last rows are near. */
  onEnd: () => void;
  /** Whether more follow than are loaded. */
  hasMore: boolean;
}

/** Pixels within which a list counts as not scrolled. */
const TOP = 24;

/** A list of any length: only what is seen is in the page. `j` and `k` go through it. */
export function LiveList<Item>(props: LiveListProps<Item>) {
  const { label, columns, items, keyOf, cells, rowHeight = 44, paging, footer } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => keyOf(items[index] as Item),
    overscan: 12,
  });
  const seen = rows.getVirtualItems();
  const last = seen.at(-1)?.index ?? 0;
  useEffect(() => {
    if (items.length > 0 && last >= items.length - 20) paging?.onEnd();
  });
  useRowKeys(scroller, items.length, (index) => rows.scrollToIndex(index));

  const grid = useMemo(
    () => ({ display: 'grid', gridTemplateColumns: columns.map(({ width }) => width).join(' '), columnGap: 14 }),
    [columns],
  );
  return (
    <div style={{ position: 'relative', flex: 1, minHeight: 0, display: 'flex', flexDirection: 'column' }}>
      <div role="status">
        {paging !== undefined && paging.fresh > 0 && (
          <Button
            size="compact-sm"
            radius="xl"
            leftSection={<ArrowUp size={14} aria-hidden />}
            style={{ position: 'absolute', top: 42, left: '50%', transform: 'translateX(-50%)', zIndex: 2 }}
            onClick={() => {
              scroller.current?.scrollTo({ top: 0 });
              // The button goes; the focus shall not go with it.
              scroller.current?.focus({ preventScroll: true });
              paging.showFresh();
            }}
          >
            {paging.fresh} new
          </Button>
        )}
      </div>
      <div
        ref={scroller}
        className="list"
        tabIndex={-1}
        onScroll={({ currentTarget }) => paging?.setAtTop(currentTarget.scrollTop < TOP)}
      >
        <div role="table" aria-label={label} aria-rowcount={paging?.hasMore === true ? -1 : items.length + 1}>
          <div role="row" className="list-head" style={grid} aria-rowindex={1}>
            {columns.map(({ title }) => (
              <span role="columnheader" key={title}>
                {title}
              </span>
            ))}
          </div>
          <div role="rowgroup" style={{ height: rows.getTotalSize(), position: 'relative' }}>
            {seen.map(({ key, index, start }) => (
              <Row
                key={key}
                index={index}
                start={start}
                height={rowHeight}
                grid={grid}
                columns={columns}
                item={items[index] as Item}
                cells={cells as (item: unknown) => readonly ReactNode[]}
              />
            ))}
          </div>
        </div>
        {footer}
      </div>
    </div>
  );
}

interface RowProps {
  index: number;
  start: number;
  height: number;
  grid: CSSProperties;
  columns: readonly Column[];
  item: unknown;
  cells: (item: unknown) => readonly ReactNode[];
}

/** Drawn again only when its entry changes: while a list is scrolled most rows stay as they are. */
const Row = memo(function Row({ index, start, height, grid, columns, item, cells }: RowProps) {
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      data-index={index}
      className="row"
      style={{
        ...grid,
        alignItems: 'center',
        height,
        position: 'absolute',
        insetInline: 0,
        transform: `translateY(${start}px)`,
      }}
    >
      {cells(item).map((cell, place) => (
        <span role="cell" key={columns[place]?.title} className="cell">
          {cell}
        </span>
      ))}
    </div>
  );
});
