import { createLink } from '@tanstack/react-router';
import { type ComponentProps, type CSSProperties, memo, type ReactNode } from 'react';

export interface Column {
  title: string;
  /** A track size of a CSS grid. */
  width: string;
}

export interface ListRowProps {
  index: number;
  /** Pixels; undefined for a card, which is as high as its content. */
  height: number | undefined;
  grid: CSSProperties | undefined;
  columns: readonly Column[];
  item: unknown;
  cells: (item: unknown) => readonly ReactNode[];
}

/** Rendered again only when its entry changes, since most rows stay the same while a list scrolls. */
export const ListRow = memo(function ListRow({ index, height, grid, columns, item, cells }: ListRowProps) {
  return (
    <div role="row" aria-rowindex={index + 2} className="row" style={{ ...grid, height }}>
      {cells(item).map((cell, place) => (
        <span role="cell" key={columns[place]?.title} className="cell" data-title={columns[place]?.title}>
          {cell}
        </span>
      ))}
    </div>
  );
});

/**
 * The link of a row. It covers the whole row, so that a click, middle click or key anywhere in the row follows it. A row
 * can therefore contain no other control. `useCutTitles` gives the link the tooltips of the cells.
 */
export const RowLink = createLink(({ className = '', ...props }: ComponentProps<'a'>) => (
  <a {...props} className={`row-link ${className}`} data-row-link />
));
