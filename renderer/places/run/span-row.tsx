import { Link } from '@tanstack/react-router';
import {
  Brain,
  ChevronDown,
  ChevronRight,
  CircleCheck,
  CircleDashed,
  CircleDot,
  CircleSlash,
  CircleStop,
  CircleX,
  type LucideIcon,
  RotateCcw,
  SkipForward,
  Wrench,
} from 'lucide-react';
import { type CSSProperties, memo } from 'react';
import { durationWords } from '../../../shared/duration-words.ts';
import { statusText } from '../../../shared/status-label.ts';
import { statusBadgeOf } from '../../ui/status.tsx';
import type { Span, SpanState } from './spans.ts';
import type { Gap, TimeScale } from './time-scale.ts';
import { InlineCode } from '../../ui/inline-code.tsx';

interface Look {
  icon: LucideIcon;
  colour: string;
  word: string;
}

export const SPAN_STATES: Readonly<Record<SpanState, Look>> = {
  running: { icon: CircleDot, colour: 'var(--cue-busy)', word: 'running' },
  waiting: { icon: CircleDashed, colour: 'var(--cue-busy)', word: 'waiting' },
  finished: { icon: CircleCheck, colour: 'var(--cue-good)', word: 'finished' },
  rejected: { icon: CircleSlash, colour: 'var(--cue-warn)', word: 'rejected' },
  failed: { icon: CircleX, colour: 'var(--cue-bad)', word: 'failed' },
  skipped: { icon: SkipForward, colour: 'var(--cue-quiet)', word: 'skipped' },
  stopped: { icon: CircleStop, colour: 'var(--cue-quiet)', word: 'stopped' },
};

/** An ended run shows its status. */
export function lookOf({ state, ending }: Span): Look {
  if (ending === undefined) return SPAN_STATES[state];
  const { icon, colour } = statusBadgeOf(ending);
  return { icon, colour, word: statusText(ending).toLowerCase() };
}

const KINDS: Readonly<Partial<Record<Span['kind'], LucideIcon>>> = { tool: Wrench, turn: Brain };

/** Pixels: the height of a line. */
export const SPAN_ROW = 30;

export const rowId = (tree: string, index: number): string => `${tree}-${index}`;

/** A share of the time axis. The words of gaps that are closer would overlap. */
const GAP_WORDS = 0.22;

/** Of gaps close to each other, only the longest has words. */
const hasWords = (gap: Gap, gaps: readonly Gap[]): boolean =>
  gaps.every((other) => other === gap || Math.abs(other.to - gap.to) > GAP_WORDS || other.length < gap.length);

/** A share of the time axis. Beyond it there is no room for text after a bar. */
const CROWDED = 0.62;

export interface SpanRowProps {
  playbook: string;
  tree: string;
  index: number;
  /** Pixels from the top of the list. */
  top: number;
  span: Span;
  scale: TimeScale;
  /** The end of spans in progress, in milliseconds since 1970; 0 for ended spans. */
  latest: number;
  isActive: boolean;
  /** Undefined for spans without children. */
  isOpen: boolean | undefined;
  onOpen: (key: string, isClosed: boolean) => void;
  /** Whether its details are shown. */
  isChosen: boolean;
  onChoose: (span: Span) => void;
  /** Absent if the run cannot be run again from a step. */
  onRerun: ((span: Span) => void) | undefined;
}

/** Memoized: while the tree is scrolled, most rows do not change. */
export const SpanRow = memo(function SpanRow(props: SpanRowProps) {
  const { tree, index, top, span, latest, isActive, isOpen, isChosen, onChoose } = props;
  const look = lookOf(span);
  const end = span.end ?? latest;
  const duration = durationWords(Math.max(0, end - span.start));
  return (
    <div
      role="row"
      id={rowId(tree, index)}
      aria-rowindex={index + 1}
      aria-level={span.depth + 1}
      {...(isOpen === undefined ? {} : { 'aria-expanded': isOpen })}
      className="span-row"
      data-active={isActive || undefined}
      aria-selected={isChosen}
      style={{ height: SPAN_ROW, transform: `translateY(${top}px)` }}
      onClick={(event) => {
        // Its link and its buttons do something else.
        if (!(event.target as Element).closest('a, button, .span-turn[aria-hidden]')) onChoose(span);
      }}
    >
      <NameCell {...props} look={look} />
      <TimeCell {...props} look={look} end={end} duration={duration} />
      <span role="gridcell" className="span-took number">
        {duration}
      </span>
    </div>
  );
});

function NameCell({ playbook, span, look, isActive, isOpen, onOpen, onRerun }: SpanRowProps & { look: Look }) {
  const { icon: Icon, colour, word } = look;
  const Kind = KINDS[span.kind];
  const Turn = isOpen === true ? ChevronDown : ChevronRight;
  return (
    <span role="gridcell" className="span-name" style={{ paddingLeft: 6 + span.depth * 16 }}>
      {isOpen === undefined ? (
        <span className="span-turn" />
      ) : (
        // The left and right arrow keys do the same.
        <span className="span-turn" aria-hidden onClick={() => onOpen(span.key, isOpen)}>
          <Turn size={14} />
        </span>
      )}
      <Icon size={14} style={{ color: colour, flexShrink: 0 }} aria-hidden />
      {Kind !== undefined && <Kind size={13} aria-hidden className="span-kind" />}
      {span.runId !== undefined && span.depth > 0 ? (
        <Link
          to="/playbooks/$playbook/runs/$runId"
          params={{ playbook, runId: span.runId }}
          className="row-link span-run"
        >
          {span.label}
        </Link>
      ) : (
        <span className="cell">{span.label}</span>
      )}
      <span className="span-sort">{span.sort}</span>
      <span className="visually-hidden">, {word}</span>
      {onRerun !== undefined && span.visit !== undefined && (
        <button
          type="button"
          className="span-rerun"
          aria-label={`Run again from ${span.label}`}
          title="Run again from here"
          // One stop of the tab key for the tree: the active row's.
          tabIndex={isActive ? 0 : -1}
          onClick={() => onRerun(span)}
        >
          <RotateCcw size={13} aria-hidden />
        </button>
      )}
    </span>
  );
}

interface TimeCellProps extends SpanRowProps {
  look: Look;
  /** Milliseconds since 1970. */
  end: number;
  duration: string;
}

function TimeCell({ index, span, scale, look: { colour, word }, end, duration }: TimeCellProps) {
  const from = scale.at(span.start);
  const to = scale.at(end);
  const title = span.detail === undefined ? `${word}, ${duration}` : `${word}, ${duration}: ${span.detail}`;
  return (
    <span role="gridcell" className="span-line" title={title}>
      {scale.gaps.map((gap) => (
        <span
          key={gap.from}
          className="span-gap"
          style={{ left: `${gap.from * 100}%`, width: `${(gap.to - gap.from) * 100}%` }}
        >
          {index === 0 && hasWords(gap, scale.gaps) && (
            <span className="span-gap-words">{durationWords(gap.length)}</span>
          )}
        </span>
      ))}
      <span
        className="span-bar"
        data-state={span.state}
        style={{
          left: `min(${from * 100}%, calc(100% - 4px))`,
          width: `max(4px, ${(to - from) * 100}%)`,
          background: colour,
        }}
      />
      {/* The page already shows it for the run itself. */}
      {span.detail !== undefined && span.depth > 0 && (
        <span className="span-words" style={besideBar(from, to)}>
          <span>
            <InlineCode>{span.detail}</InlineCode>
          </span>
        </span>
      )}
    </span>
  );
}

/** Where the text of a bar has room: after it, before it, or on it. */
function besideBar(from: number, to: number): CSSProperties {
  if (to < CROWDED) return { left: `calc(${to * 100}% + 10px)`, right: 0 };
  if (from > 1 - CROWDED) return { right: `calc(${(1 - from) * 100}% + 8px)`, left: 0, textAlign: 'end' };
  return { left: `calc(${from * 100}% + 6px)`, right: 4, paddingBlock: 1 };
}
