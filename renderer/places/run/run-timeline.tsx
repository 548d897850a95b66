import { Button, SegmentedControl, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, lazy, Suspense, useCallback, useDeferredValue, useMemo, useState } from 'react';
import { DEFINITION_FACTS } from '../../../shared/definition-types.ts';
import type { EventRecord, RunWithRecord } from '../../../shared/api/index.ts';
import { graphQuery } from '../../api/queries.ts';
import type { SearchChanges } from '../../ui/search-params.ts';
import type { StepState } from '../../graph/steps.ts';
import { PaneDivider, usePanes } from '../../ui/pane-divider.tsx';
import { useHasTabs } from '../../ui/use-narrow.ts';
import { isField } from '../../ui/keyboard.ts';
import { addressOf, chosenInGraph, chosenStep, locationOfNode, type StepInAddress } from './chosen-step.ts';
import { ChosenStepPanel } from './chosen-step-panel.tsx';
import { FindField } from './find-field.tsx';
import { type SpanStateFilter, shownSpans } from './shown-spans.ts';
import { SPAN_STATES } from './span-row.tsx';
import { buildSpans, type Span } from './spans.ts';
import { RerunFrom } from './rerun-from.tsx';
import { useMayCall } from '../../api/session/use-session.ts';
import { useStepFocus } from './use-step-focus.ts';
import { Waterfall } from './waterfall.tsx';

const WorkflowGraph = lazy(async () => ({ default: (await import('../../graph/workflow-graph.tsx')).WorkflowGraph }));

export interface RunFilter extends StepInAddress {
  find?: string;
  only?: SpanStateFilter;
}

export interface RunTimelineProps {
  playbook: string;
  run: RunWithRecord;
  events: readonly EventRecord[] | undefined;
  isPending: boolean;
  filter: RunFilter;
  onFilter: (changes: SearchChanges<RunFilter>) => void;
}

const STATES = [
  { value: '', label: 'All' },
  { value: 'unfinished', label: 'In progress' },
  { value: 'failed', label: 'Failed' },
];
/** With a filter, nothing is collapsed. */
const NONE: ReadonlySet<string> = new Set();
/** The filter is shown for longer timelines. */
const FEW = 8;

/** The timeline of a run and, if its definition has steps, the states of its steps in the graph. */
export function RunTimeline({ playbook, run, events, isPending, filter, onFilter }: RunTimelineProps) {
  const spans = useMemo(() => buildSpans(events ?? [], run.run_id, run.record), [events, run.run_id, run.record]);
  const [closed, onClosed] = useClosed();
  const { find, only } = filter;
  const all = useMemo(() => shownSpans(spans, { closed, find, only }), [spans, closed, find, only]);
  const shown = useDeferredValue(all);
  const hasSteps = DEFINITION_FACTS[run.type].hasSteps === true;
  const mayRerun = useMayCall('rerun') && hasSteps && run.status !== 'started';
  const [rerunOf, setRerunOf] = useState<Span>();
  const chosen = useMemo(() => chosenStep(spans, filter), [spans, filter]);
  const panes = usePanes('steps', 62);
  const hasPanel = !useHasTabs() && chosen !== undefined;
  const focus = useStepFocus(chosen !== undefined);
  const choose = (step: StepInAddress, how?: 'enter'): void => {
    focus.opened(how);
    onFilter({ step: step.step, visit: step.visit });
  };
  const chooseSpan = (span: Span, how?: 'enter'): void => choose(addressOf(span, spans), how);
  const close = (): void => {
    // Escape closes the dialog above the details first.
    if (rerunOf !== undefined) return;
    onFilter({ step: undefined, visit: undefined });
    focus.closed();
  };
  const closeOnEscape = (event: KeyboardEvent): void => {
    // A field first takes back what was typed.
    const isOfField = event.target instanceof HTMLElement && isField(event.target);
    if (event.key !== 'Escape' || chosen === undefined || isOfField) return;
    event.preventDefault();
    close();
  };
  if (isPending) return <Skeleton height={240} />;
  const isFiltered = find !== undefined || only !== undefined;
  const onRerun = mayRerun ? setRerunOf : undefined;
  return (
    <div
      ref={focus.root}
      className="run-steps"
      data-details={chosen !== undefined || undefined}
      {...(hasPanel ? { style: { gridTemplateColumns: `minmax(0, ${panes.share}%) minmax(0, 1fr)` } } : {})}
      onKeyDown={closeOnEscape}
    >
      <div className="run-steps-main">
        {hasSteps && <StepGraph playbook={playbook} run={run} spans={spans} chosen={chosen} onChoose={choose} />}
        {(spans.length > FEW || isFiltered) && (
          <FilterBar filter={filter} count={shown.length} all={spans.length} onFilter={onFilter} />
        )}
        {shown.length === 0 && isFiltered ? (
          <NoMatch onFilter={onFilter} />
        ) : (
          <Waterfall
            playbook={playbook}
            spans={spans}
            shown={shown}
            closed={isFiltered ? NONE : closed}
            onClosed={onClosed}
            chosen={chosen?.span}
            onChoose={chooseSpan}
            onRerun={onRerun}
          />
        )}
      </div>
      {hasPanel && <PaneDivider label="Width of the timeline" panes={panes} />}
      {chosen !== undefined && (
        <ChosenStepPanel
          playbook={playbook}
          run={run}
          chosen={chosen}
          spans={spans}
          shown={shown}
          heading={focus.heading}
          onChoose={chooseSpan}
          onRerun={onRerun}
          onClose={close}
        />
      )}
      {rerunOf !== undefined && (
        <RerunFrom playbook={playbook} run={run} span={rerunOf} onClose={() => setRerunOf(undefined)} />
      )}
    </div>
  );
}

interface StepGraphProps extends Pick<RunTimelineProps, 'playbook' | 'run'> {
  spans: readonly Span[];
  chosen: ReturnType<typeof chosenStep>;
  onChoose: (step: StepInAddress, how?: 'enter') => void;
}

function StepGraph({ playbook, run, spans, chosen, onChoose }: StepGraphProps) {
  const graph = useQuery(graphQuery({ playbook, type: run.type, name: run.name }, run.definition_version));
  const states = useMemo(() => stepStates(spans), [spans]);
  if (graph.data === null) return null;
  return (
    <section className="run-graph" aria-label="Step graph">
      <Suspense fallback={<Skeleton height="100%" />}>
        {graph.data === undefined ? (
          <Skeleton height="100%" />
        ) : (
          <WorkflowGraph
            graph={graph.data}
            direction="right"
            states={states}
            focus={chosenInGraph(chosen?.location) ?? focusOf(states)}
            chosen={chosenInGraph(chosen?.location)}
            onStep={(node, by) => onChoose({ step: locationOfNode(node) }, by === 'key' ? 'enter' : undefined)}
            onMove={(node) => {
              if (chosen !== undefined) onChoose({ step: locationOfNode(node) });
            }}
          />
        )}
      </Suspense>
    </section>
  );
}

/** The keys of the rows whose children are hidden, and how to change them. */
function useClosed() {
  const [closed, setClosed] = useState(NONE);
  const onClosed = useCallback((key: string, isClosed: boolean) => {
    setClosed((before) => {
      const after = new Set(before);
      if (isClosed) after.add(key);
      else after.delete(key);
      return after;
    });
  }, []);
  return [closed, onClosed] as const;
}

function NoMatch({ onFilter }: Pick<RunTimelineProps, 'onFilter'>) {
  return (
    <Text size="sm" c="dimmed" component="div">
      No matching steps.{' '}
      <Button size="compact-xs" variant="default" onClick={() => onFilter({ find: undefined, only: undefined })}>
        Show all steps
      </Button>
    </Text>
  );
}

interface FilterBarProps extends Pick<RunTimelineProps, 'filter' | 'onFilter'> {
  /** How many rows are shown. */
  count: number;
  all: number;
}

function FilterBar({ filter: { find, only }, count, all, onFilter }: FilterBarProps) {
  const isFiltered = find !== undefined || only !== undefined;
  return (
    <div className="run-filter">
      <FindField label="Find a step" value={find} onFind={(words) => onFilter({ find: words })} />
      <SegmentedControl
        size="xs"
        aria-label="Filter steps"
        data={STATES}
        value={only ?? ''}
        onChange={(value) => onFilter({ only: value === '' ? undefined : (value as SpanStateFilter) })}
      />
      <Text size="sm" c="dimmed" role="status" className="number">
        {isFiltered ? `${count.toLocaleString()} of ${all.toLocaleString()} rows` : `${all.toLocaleString()} rows`}
      </Text>
    </div>
  );
}

/** The current step: the innermost one in progress. */
function focusOf(states: ReadonlyMap<string, StepState>): string | undefined {
  const { running, waiting } = SPAN_STATES;
  return [...states].findLast(([, state]) => state === running || state === waiting)?.[0];
}

/** The state of each step of the run's own definition; after several passes, the last one. */
function stepStates(spans: readonly Span[]): Map<string, StepState> {
  const states = new Map<string, StepState>();
  let below = Number.POSITIVE_INFINITY;
  for (const { kind, depth, pointer, state } of spans) {
    // Steps of called workflows belong to other documents.
    if (depth <= below) below = kind === 'run' && depth > 0 ? depth : Number.POSITIVE_INFINITY;
    if (depth > below || pointer === undefined) continue;
    states.set(pointer, SPAN_STATES[state]);
  }
  return states;
}
