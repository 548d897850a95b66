import './waterfall.css';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useNow } from '../../ui/use-now.ts';
import type { Span } from './spans.ts';
import { makeTimeScale } from './time-scale.ts';
import { rowId, SPAN_ROW, SpanRow } from './span-row.tsx';

/** Pixels. */
const TALLEST = 560;

export interface WaterfallProps {
  playbook: string;
  /** All spans of the run; hidden ones count for the time axis too. */
  spans: readonly Span[];
  shown: readonly Span[];
  closed: ReadonlySet<string>;
  onClosed: (key: string, isClosed: boolean) => void;
  /** The span whose details are shown. */
  chosen: Span | undefined;
  /** Shows the details of a span; `enter` moves the focus to them. */
  onChoose: (span: Span, how?: 'enter') => void;
  /** Absent if the run cannot be run again from a step. */
  onRerun: ((span: Span) => void) | undefined;
}

/** The timeline of a run: a tree whose rows share one time axis. */
export function Waterfall(props: WaterfallProps) {
  const isInProgress = props.spans.some(({ end }) => end === undefined);
  return isInProgress ? <LiveRows {...props} /> : <Rows {...props} now={0} />;
}

function LiveRows(props: WaterfallProps) {
  return <Rows {...props} now={useNow()} />;
}

function Rows(props: WaterfallProps & { now: number }) {
  const { playbook, spans, shown, closed, onClosed, chosen, onRerun, now } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const tree = useId();
  const [activeKey, setActive] = useState<string>();
  const rows = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => SPAN_ROW,
    getItemKey: (index) => shown[index]?.key ?? index,
    overscan: 10,
  });
  const latest = useMemo(() => lastMoment(spans, now), [spans, now]);
  const scale = useMemo(() => makeTimeScale(spans.flatMap(({ start, end = latest }) => [start, end])), [spans, latest]);
  const parents = useMemo(() => keysOfParents(spans), [spans]);
  const active = Math.max(
    0,
    shown.findIndex(({ key }) => key === activeKey),
  );

  const { scrollToIndex } = rows;
  const choose = useChoice(props, setActive, scrollToIndex);
  const goTo = (index: number): void => {
    const next = Math.min(shown.length - 1, Math.max(0, index));
    const span = shown[next];
    if (span === undefined) return;
    if (chosen === undefined) setActive(span.key);
    else choose(span);
    scrollToIndex(next);
  };
  const press = (event: KeyboardEvent): void => {
    const span = shown[active];
    if (span === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.floor((scroller.current?.clientHeight ?? SPAN_ROW) / SPAN_ROW) - 1;
    const isOpen = parents.has(span.key) && !closed.has(span.key);
    const keys: Readonly<Record<string, () => void>> = {
      ArrowDown: () => goTo(active + 1),
      ArrowUp: () => goTo(active - 1),
      PageDown: () => goTo(active + page),
      PageUp: () => goTo(active - page),
      Home: () => goTo(0),
      End: () => goTo(shown.length - 1),
      ArrowRight: () => (isOpen ? goTo(active + 1) : onClosed(span.key, false)),
      ArrowLeft: () =>
        isOpen
          ? onClosed(span.key, true)
          : goTo(shown.findLastIndex(({ depth }, index) => index < active && depth < span.depth)),
      Enter: () => choose(span, 'enter'),
    };
    const call = keys[event.key === 'j' ? 'ArrowDown' : event.key === 'k' ? 'ArrowUp' : event.key];
    // Links and buttons handle Enter themselves.
    if (call === undefined || (event.key === 'Enter' && event.target !== event.currentTarget)) return;
    event.preventDefault();
    call();
  };
  // aria-activedescendant must not name a row that is not rendered.
  const drawn = rows.getVirtualItems();
  const isActiveDrawn = drawn.some(({ index }) => index === active);

  return (
    <div
      ref={scroller}
      className="waterfall"
      style={{ maxHeight: TALLEST }}
      role="treegrid"
      tabIndex={0}
      aria-label="Timeline"
      aria-rowcount={shown.length}
      {...(isActiveDrawn ? { 'aria-activedescendant': rowId(tree, active) } : {})}
      onKeyDown={press}
    >
      <div role="rowgroup" style={{ height: rows.getTotalSize(), position: 'relative' }}>
        {drawn.map(({ index, start: top }) => {
          const span = shown[index] as Span;
          return (
            <SpanRow
              key={span.key}
              playbook={playbook}
              tree={tree}
              index={index}
              top={top}
              span={span}
              scale={scale}
              latest={span.end === undefined ? latest : 0}
              isActive={index === active}
              isOpen={parents.has(span.key) ? !closed.has(span.key) : undefined}
              onOpen={onClosed}
              isChosen={span.key === chosen?.key}
              onChoose={choose}
              onRerun={onRerun}
            />
          );
        })}
      </div>
    </div>
  );
}

/** Makes the chosen row the active one, and shows it. @returns chooses a span in this timeline */
function useChoice(
  { shown, chosen, onChoose }: WaterfallProps,
  setActive: (key: string) => void,
  scrollToIndex: (index: number) => void,
): WaterfallProps['onChoose'] {
  /** The key of the span that was chosen here last, until the page shows it: keys may arrive faster. */
  const choosing = useRef<string>(undefined);
  const chosenKey = chosen?.key;
  useEffect(() => {
    if (chosenKey === undefined) return;
    if (choosing.current === undefined) {
      setActive(chosenKey);
      const index = shown.findIndex(({ key }) => key === chosenKey);
      if (index !== -1) scrollToIndex(index);
    } else if (choosing.current === chosenKey) choosing.current = undefined;
    // Only when another span is chosen: afterwards the person may scroll.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- as the line above says
  }, [chosenKey]);
  return (span, how) => {
    if (span.key !== chosenKey) choosing.current = span.key;
    setActive(span.key);
    onChoose(span, how);
  };
}

function lastMoment(spans: readonly Span[], now: number): number {
  let last = now;
  for (const { start, end = start } of spans) last = Math.max(last, end);
  return last;
}

function keysOfParents(spans: readonly Span[]): Set<string> {
  const parents = spans.filter(({ depth }, index) => (spans[index + 1]?.depth ?? 0) > depth);
  return new Set(parents.map(({ key }) => key));
}
