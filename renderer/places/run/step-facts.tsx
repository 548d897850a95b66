import { durationWords } from '../../../shared/duration-words.ts';
import { Fact } from '../../ui/fact.tsx';
import { fullTime } from '../../ui/times.tsx';
import { useNow } from '../../ui/use-now.ts';
import { childrenOf } from './chosen-step.ts';
import { lookOf } from './span-row.tsx';
import type { Span } from './spans.ts';
import { InlineCode } from '../../ui/inline-code.tsx';

/** How a step went: its state and times, its attempts, and the case that it took. */
export function StepFacts({ span, spans }: { span: Span; spans: readonly Span[] }) {
  const { icon: Icon, colour, word } = lookOf(span);
  const attempts = attemptsOf(span, spans);
  const taken = span.events.findLast(({ data }) => data['case'] !== undefined)?.data['case'];
  const hasNoCase = span.sort === 'switch' && span.state === 'finished' && taken === undefined;
  const isFalse = span.events.at(-1)?.data['because'] === 'condition';
  return (
    <dl className="facts step-facts">
      <Fact title="State">
        <span className="step-state-words">
          <Icon size={15} style={{ color: colour }} aria-hidden /> {word}
        </span>
      </Fact>
      <Fact title="Started">
        <span className="number">{fullTime(new Date(span.start).toISOString())}</span>
      </Fact>
      <Fact title="Duration">
        <span className="number">
          {span.end === undefined ? <TimeSoFar start={span.start} /> : durationWords(span.end - span.start)}
        </span>
      </Fact>
      {attempts !== undefined && <Fact title="Attempts">{attempts}</Fact>}
      {span.iterations.length > 0 && <Fact title="Iteration">{span.iterations.join('.')}</Fact>}
      {taken !== undefined && <Fact title="Case">{String(taken)}</Fact>}
      {hasNoCase && <Fact title="Case">No case matched</Fact>}
      {isFalse && <Fact title="Why">Its condition (if) was false</Fact>}
      {span.state === 'waiting' && span.detail !== undefined && (
        <Fact title="Waits for">
          <InlineCode>{span.detail}</InlineCode>
        </Fact>
      )}
      {span.turn !== undefined && <TurnFacts turn={span.turn} />}
    </dl>
  );
}

function TimeSoFar({ start }: { start: number }) {
  return durationWords(Math.max(0, useNow() - start));
}

function TurnFacts({ turn: { tokens, finishReason, calls } }: { turn: NonNullable<Span['turn']> }) {
  return (
    <>
      <Fact title="Finish reason">{finishReason.replaceAll(/[-_]/g, ' ')}</Fact>
      <Fact title="Input tokens">{tokens.input.toLocaleString()}</Fact>
      <Fact title="Cached tokens">{tokens.cached.toLocaleString()}</Fact>
      <Fact title="Output tokens">{tokens.output.toLocaleString()}</Fact>
      {calls.length > 0 && (
        <Fact title="Tool calls">{calls.map(({ server, tool }) => `${server}/${tool}`).join(', ')}</Fact>
      )}
    </>
  );
}

/** Of a run or the run that a step called: its attempts. Of a `try`: its first try and its retries. */
function attemptsOf(span: Span, spans: readonly Span[]): number | undefined {
  if (span.sort === 'try') return 1 + span.events.filter(({ type }) => type === 'step_waiting').length;
  const run = span.kind === 'run' ? span : childrenOf(span, spans).find(({ kind }) => kind === 'run');
  return run?.events.filter(({ type }) => type === 'run_started').length;
}
