import { isFailure } from '../../../shared/status-label.ts';
import type { Span } from './spans.ts';

export type Only = 'unfinished' | 'failed';

export interface Shown {
  /** Keys of the spans that are closed. */
  closed: ReadonlySet<string>;
  find?: string | undefined;
  only?: Only | undefined;
}

/**
 * What is seen of the spans: with a filter what it finds, and everything above that; without one what is not closed.
 * @param spans each after the one it belongs to
 */
export function shownSpans(spans: readonly Span[], { closed, find = '', only }: Shown): Span[] {
  if (find === '' && only === undefined) return closed.size === 0 ? [...spans] : open(spans, closed);
  const words = find.toLowerCase();
  const shown: Span[] = [];
  /** How deep the next span stands that something found belongs to. */
  let above = -1;
  for (const span of spans.toReversed()) {
    const isFound = (only === undefined || isLike(span, only)) && textOf(span).includes(words);
    if (!isFound && span.depth !== above) continue;
    shown.push(span);
    above = span.depth - 1;
  }
  return shown.toReversed();
}

function open(spans: readonly Span[], closed: ReadonlySet<string>): Span[] {
  let deepest = Number.POSITIVE_INFINITY;
  return spans.filter(({ key, depth }) => {
    if (depth > deepest) return false;
    deepest = closed.has(key) ? depth : Number.POSITIVE_INFINITY;
    return true;
  });
}

function isLike({ state, ending }: Span, only: Only): boolean {
  if (only === 'unfinished') return state === 'running' || state === 'waiting';
  return ending === undefined ? state === 'failed' || state === 'rejected' : isFailure(ending);
}

function textOf({ label, sort, detail = '' }: Span): string {
  return `${label} ${sort} ${detail}`.toLowerCase();
}
