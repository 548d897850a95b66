import { isFailure } from '../../../shared/status-label.ts';
import type { Span } from './spans.ts';

export type SpanStateFilter = 'unfinished' | 'failed';

export interface SpanFilter {
  /** Keys of collapsed spans. */
  closed: ReadonlySet<string>;
  find?: string | undefined;
  only?: SpanStateFilter | undefined;
}

/**
 * The visible spans: with a filter, the matches and their ancestors; otherwise those that are not collapsed.
 * @param spans each after its parent
 */
export function shownSpans(spans: readonly Span[], { closed, find = '', only }: SpanFilter): Span[] {
  if (find === '' && only === undefined) return closed.size === 0 ? [...spans] : open(spans, closed);
  const words = find.toLowerCase();
  const shown: Span[] = [];
  /** The depth of the parent of the last visible span. */
  let above = -1;
  for (const span of spans.toReversed()) {
    const isFound = (only === undefined || isLike(span, only)) && searchedText(span).includes(words);
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

function isLike({ state, ending }: Span, only: SpanStateFilter): boolean {
  if (only === 'unfinished') return state === 'running' || state === 'waiting';
  return ending === undefined ? state === 'failed' || state === 'rejected' : isFailure(ending);
}

function searchedText({ label, sort, detail = '' }: Span): string {
  return `${label} ${sort} ${detail}`.toLowerCase();
}
