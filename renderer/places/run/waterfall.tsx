import { Text, Tooltip } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleDashed, CircleDot, CircleSlash, CircleX, type LucideIcon, SkipForward } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { durationWords } from '../../ui/durations.ts';
import { useNow } from '../../ui/use-now.ts';
import type { Span, SpanState } from './spans.ts';
import { makeTimeScale } from './time-scale.ts';

export const SPAN_STATES: Readonly<Record<SpanState, { icon: LucideIcon; colour: string; word: string }>> = {
  running: { icon: CircleDot, colour: 'var(--cue-busy)', word: 'going on' },
  waiting: { icon: CircleDashed, colour: 'var(--cue-busy)', word: 'waiting' },
  finished: { icon: CircleCheck, colour: 'var(--cue-good)', word: 'finished' },
  rejected: { icon: CircleSlash, colour: 'var(--cue-warn)', word: 'rejected' },
  failed: { icon: CircleX, colour: 'var(--cue-bad)', word: 'failed' },
  skipped: { icon: SkipForward, colour: 'var(--cue-quiet)', word: 'skipped' },
};

/** Pixels. */
const ROW = 30;
const TALLEST = 560;

export interface WaterfallProps {
  playbook: string;
  spans: readonly Span[];
  chosen?: string | undefined;
  onChoose?: (span: Span) => void;
}

export function Waterfall(props: WaterfallProps) {
  const isGoingOn = props.spans.some(({ end }) => end === undefined);
  return isGoingOn ? <LiveWaterfall {...props} /> : <Rows {...props} now={0} />;
}

function LiveWaterfall(props: WaterfallProps) {
  return <Rows {...props} now={useNow()} />;
}

function Rows({ playbook, spans, chosen, onChoose, now }: WaterfallProps & { now: number }) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: spans.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 10,
  });
  const latest = useMemo(() => Math.max(now, ...lastMoments(spans)), [spans, now]);
  const scale = useMemo(() => makeTimeScale(spans.flatMap(({ start, end = latest }) => [start, end])), [spans, latest]);

  return (
    <div
      ref={scroller}
      className="waterfall"
      style={{ maxHeight: TALLEST }}
      // A list that scrolls is reached by the keyboard.
      tabIndex={0}
      role="group"
      aria-label="Timeline"
    >
      <div role="table" aria-label="Steps and called runs" aria-rowcount={spans.length}>
        <div role="rowgroup" style={{ height: rows.getTotalSize(), position: 'relative' }}>
          {rows.getVirtualItems().map(({ index, start: top }) => {
            const span = spans[index] as Span;
            const end = span.end ?? latest;
            const from = scale.at(span.start);
            const { icon: Icon, colour, word } = SPAN_STATES[span.state];
            const took = durationWords(Math.max(0, end - span.start));
            const isChosen = chosen !== undefined && chosen === span.pointer;
            return (
              <div
                role="row"
                aria-rowindex={index + 1}
                key={span.key}
                className="span-row"
                data-chosen={isChosen || undefined}
                style={{ height: ROW, transform: `translateY(${top}px)` }}
                onClick={() => onChoose?.(span)}
              >
                <span role="cell" className="span-name" style={{ paddingLeft: 8 + span.depth * 16 }}>
                  <Icon size={14} style={{ color: colour, flexShrink: 0 }} aria-hidden />
                  {span.runId !== undefined && span.depth > 0 ? (
                    <Link
                      to="/playbooks/$playbook/runs/$runId"
                      params={{ playbook, runId: span.runId }}
                      className="row-link"
                    >
                      {span.label}
                    </Link>
                  ) : (
                    <span className="cell">{span.label}</span>
                  )}
                  <span className="span-sort">{span.sort}</span>
                  <span className="aside">, {word}</span>
                </span>
                <span role="cell" className="span-line">
                  {scale.gaps.map((gap) => (
                    <span
                      key={gap.from}
                      className="span-gap"
                      style={{ left: `${gap.from * 100}%`, width: `${(gap.to - gap.from) * 100}%` }}
                    >
                      {index === 0 && <span className="span-gap-words">{durationWords(gap.length)}</span>}
                    </span>
                  ))}
                  <Tooltip
                    label={span.detail === undefined ? `${word}, ${took}` : `${word}, ${took}: ${span.detail}`}
                    multiline
                    maw={360}
                  >
                    <span
                      className="span-bar"
                      data-state={span.state}
                      style={{
                        left: `min(${from * 100}%, calc(100% - 4px))`,
                        width: `max(4px, ${(scale.at(end) - from) * 100}%)`,
                        background: colour,
                      }}
                    />
                  </Tooltip>
                </span>
                <Text span role="cell" size="xs" c="dimmed" ta="end" className="number">
                  {took}
                </Text>
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

function lastMoments(spans: readonly Span[]): number[] {
  let last = 0;
  for (const { start, end = start } of spans) last = Math.max(last, end);
  return [last];
}
