import { Checkbox } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import { type ComponentProps, type CSSProperties, memo, type MouseEvent, type ReactNode } from 'react';

export interface Column {
  title: string;
  /** A track size of a CSS grid. */
  width: string;
  /** Pixels. A list whose columns all say how wide they are at least scrolls sideways if it is narrower. */
  least?: number;
}

export interface ListRowProps {
  index: number;
  /** Pixels; undefined for a card, which is as high as its content. */
  height: number | undefined;
  grid: CSSProperties | undefined;
  columns: readonly Column[];
  item: unknown;
  cells: (item: unknown) => readonly ReactNode[];
  /** Undefined for a row that cannot be selected. */
  isSelected?: boolean | undefined;
  /** The label of the checkbox. */
  selectLabel?: string | undefined;
  onSelect?: ((index: number, isRange: boolean) => void) | undefined;
}

/** Rendered again only when its entry changes, since most rows stay the same while a list scrolls. */
export const ListRow = memo(function ListRow(props: ListRowProps) {
  const { index, height, grid, columns, item, cells, isSelected, selectLabel, onSelect } = props;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className="row"
      style={{ ...grid, height }}
      data-chosen={isSelected === true || undefined}
    >
      {isSelected !== undefined && (
        <span role="cell" className="row-select above-row-link">
          {/* Around the checkbox, so that a click beside it does not open the entry. */}
          <label onMouseDown={keepText}>
            <Checkbox
              size="xs"
              aria-label={selectLabel}
              checked={isSelected}
              onChange={({ nativeEvent }) =>
                onSelect?.(index, 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true)
              }
            />
          </label>
        </span>
      )}
      {cells(item).map((cell, place) => (
        <span role="cell" key={columns[place]?.title} className="cell" data-title={columns[place]?.title}>
          {cell}
        </span>
      ))}
    </div>
  );
});

/** A click with Shift selects a range of rows, not their text. */
function keepText(event: MouseEvent<HTMLElement>): void {
  if (event.shiftKey) event.preventDefault();
}

/**
 * The link of a row. It covers the whole row, so that a click, middle click or key anywhere in the row follows it. Other
 * controls of the row need the class `above-row-link`. `useCutTitles` gives the link the tooltips of the cells.
 */
export const RowLink = createLink(({ className = '', ...props }: ComponentProps<'a'>) => (
  <a {...props} className={`row-link ${className}`} data-row-link />
));
