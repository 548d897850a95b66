import { createLink } from '@tanstack/react-router';
import { type ComponentProps, type CSSProperties, memo, type ReactNode } from 'react';

export interface Column {
  title: string;
  /** As a track of a CSS grid. */
  width: string;
}

export interface ListRowProps {
  index: number;
  /** Of a card there is none: it is as high as what it holds. */
  height: number | undefined;
  grid: CSSProperties | undefined;
  columns: readonly Column[];
  item: unknown;
  cells: (item: unknown) => readonly ReactNode[];
}

/** DrawnGraph again only when its entry changes: while a list is scrolled most rows stay as they are. */
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
 * The link of a row: the whole row leads where it leads, by click, middle click and keyboard. It lies over the other
 * cells, so a row holds nothing else to press; `useCutTitles` gives it their tooltips.
 */
export const RowLink = createLink(({ className = '', ...props }: ComponentProps<'a'>) => (
  <a {...props} className={`row-link ${className}`} data-row-link />
));
