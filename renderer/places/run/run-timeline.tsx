import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo } from 'react';
import type { EventRecord, RunWithRecord } from '../../../shared/schemas/index.ts';
import { graphQuery } from '../../api/queries.ts';
import type { StepState } from '../../graph/workflow-graph.tsx';
import { buildSpans, type Span } from './spans.ts';
import { SPAN_STATES, Waterfall } from './waterfall.tsx';

const WorkflowGraph = lazy(async () => ({ default: (await import('../../graph/workflow-graph.tsx')).WorkflowGraph }));

export interface RunTimelineProps {
  playbook: string;
  run: RunWithRecord;
  events: readonly EventRecord[] | undefined;
  isPending: boolean;
}

/** What the run did over time, and of a workflow how its steps stand in its graph. */
export function RunTimeline({ playbook, run, events, isPending }: RunTimelineProps) {
  const spans = useMemo(() => buildSpans(events ?? [], run.run_id), [events, run.run_id]);
  const states = useMemo(() => stepStates(spans), [spans]);
  const isWorkflow = run.type === 'workflow';
  const graph = useQuery({
    ...graphQuery({ playbook, type: run.type, name: run.name }, run.definition_version),
    enabled: isWorkflow,
  });
  if (isPending) return <Skeleton height={240} />;
  return (
    <>
      {isWorkflow && graph.data !== null && (
        <section className="run-graph" aria-label="Steps as a graph">
          <Suspense fallback={<Skeleton height="100%" />}>
            {graph.data === undefined ? (
              <Skeleton height="100%" />
            ) : (
              <WorkflowGraph graph={graph.data} direction="right" states={states} />
            )}
          </Suspense>
        </section>
      )}
      <Waterfall playbook={playbook} spans={spans} />
    </>
  );
}

/** How each step of the run's own document stands: of a step that was passed several times, the last. */
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
