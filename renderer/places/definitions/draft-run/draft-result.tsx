// What a draft run does, and its result: its steps in the graph and as a list, its open questions, and its output.
import './draft-run.css';
import { Button, Group, Loader, Skeleton, Stack, Text } from '@mantine/core';
import { BookmarkPlus } from 'lucide-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import type { DocumentGraph, DraftRun } from '../../../../shared/api/index.ts';
import { ifText, type Json } from '../../../../shared/json.ts';
import { runInput } from '../../../../shared/run-input.ts';
import type { StepState } from '../../../graph/steps.ts';
import { OutputView } from '../../../shapes/output-view.tsx';
import { InlineCode } from '../../../ui/inline-code.tsx';
import { IssueList, issuesIn } from '../../../ui/issue-list.tsx';
import { JsonView } from '../../../ui/json/json-view.tsx';
import { ProblemView } from '../../../ui/problem-view.tsx';
import { Status } from '../../../ui/status.tsx';
import { ModelsLink } from '../../models/models-link.tsx';
import { SPAN_STATES } from '../../run/span-row.tsx';
import { nameOfStep, type SpanState } from '../../run/spans.ts';
import { TurnsTable } from '../../run/turns-table.tsx';
import { turnsOf } from '../../run/turns.ts';
import { DraftEvent } from './draft-event.tsx';
import { DraftQuestion } from './draft-question.tsx';
import type { DraftRunning, DraftStep } from './use-draft-run.ts';

const WorkflowGraph = lazy(async () => ({
  default: (await import('../../../graph/workflow-graph.tsx')).WorkflowGraph,
}));

export interface DraftResultProps {
  draft: DraftRunning;
  graph: DocumentGraph | undefined;
  /** Absent if the run cannot become an example here. */
  onSaveExample: ((result: DraftRun, input: Json) => void) | undefined;
}

export function DraftResult({ draft, graph, onSaveExample }: DraftResultProps) {
  const { isPending, text, result, error, request, steps } = draft;
  const states = useMemo(() => statesOf([...steps.values()]), [steps]);
  return (
    <Stack gap="sm">
      <Group justify="space-between" mih={30}>
        <Group gap="md">
          {isPending ? (
            <Text size="sm" c="dimmed" role="status">
              <Loader size={12} mr={8} aria-hidden />
              Running the draft…
            </Text>
          ) : (
            <Outcome result={result} />
          )}
          <Text size="sm" c="dimmed">
            Draft run, not recorded
          </Text>
        </Group>
        {result?.status === 'succeeded' && onSaveExample !== undefined && (
          <Button
            size="xs"
            variant="default"
            leftSection={<BookmarkPlus size={14} aria-hidden />}
            onClick={() => onSaveExample(result, runInput(request?.input))}
          >
            Save as example…
          </Button>
        )}
      </Group>
      {error !== undefined && <ProblemView error={error} />}
      {result?.valid === false && <Issues issues={result.issues} />}
      {result?.detail !== undefined && result.status !== 'waiting' && (
        <Text size="sm" className="draft-detail" role="alert">
          <InlineCode>{result.detail}</InlineCode>
        </Text>
      )}
      <IssueList issues={result?.rejection?.issues ?? []} />
      <ModelsLink playbook={request?.playbook ?? ''} because={result?.rejection?.because} />
      {result?.questions.map((question) => (
        <DraftQuestion
          key={`${question.call} ${result.continuation?.results.length}`}
          question={question}
          onGive={(given) => draft.proceed({ results: [given] })}
        />
      ))}
      {result?.status === 'waiting' && result.questions.length === 0 && (
        <DraftEvent detail={result.detail ?? ''} onSend={(event) => draft.proceed({ event })} />
      )}
      {graph !== undefined && steps.size > 0 && (
        <section className="run-graph draft-graph" aria-label="Step graph">
          <Suspense fallback={<Skeleton height="100%" />}>
            <WorkflowGraph graph={graph} direction="right" states={states} focus={focusOf([...steps.values()])} />
          </Suspense>
        </section>
      )}
      {isPending && text !== '' && (
        <div className="card draft-text" aria-live="off" tabIndex={0} role="region" aria-label="Model output so far">
          {text}
        </div>
      )}
      {isPending && text === '' && steps.size === 0 && <Skeleton height={180} />}
      {result?.status === 'succeeded' && <OutputView output={result.output} shape={result.output_shape} />}
      {steps.size > 0 && <Steps steps={[...steps.values()]} />}
      {result !== undefined && <More result={result} />}
    </Stack>
  );
}

function Outcome({ result }: { result: DraftRun | undefined }) {
  if (result?.status === undefined) return null;
  const { status, rejection, questions } = result;
  const run = {
    status: status === 'waiting' ? ('started' as const) : status,
    ...(status === 'waiting' ? { waits_for: [questions.length > 0 ? ('answer' as const) : ('event' as const)] } : {}),
    reason: rejection?.reason,
    kind: rejection?.kind,
  };
  return (
    <span role="status">
      <Status run={run} />
    </span>
  );
}

function Issues({ issues }: { issues: DraftRun['issues'] }) {
  return (
    <div role="alert">
      <Text size="sm">The draft has issues, so it was not run:</Text>
      <ul>
        {issues.map(({ line, column, detail }) => (
          <li key={`${line} ${column} ${detail}`}>
            Line {line}: <InlineCode>{detail.replace(/^Line \d+, column \d+: /, '')}</InlineCode>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Steps({ steps }: { steps: readonly DraftStep[] }) {
  const [open, setOpen] = useState<number>();
  return (
    <section aria-label="Steps">
      <Text component="h3" fw={650} size="sm" mb={6}>
        Steps
      </Text>
      <ol className="draft-steps" aria-label="Steps of the draft run">
        {steps.map((step, index) => {
          const { icon: Icon, colour, word } = SPAN_STATES[stateOf(step)];
          const [issue] = issuesIn(step.error?.['rejection']);
          const cause = issue?.detail ?? ifText(step.error?.['detail']);
          const about = step.waits_for ?? cause ?? (step.taken && `took ${step.taken}`);
          const isOpen = open === index;
          return (
            <li key={`${step.step} ${(step.iterations ?? []).join('.')}`}>
              <Icon size={14} style={{ color: colour }} aria-hidden />
              <span>
                {nameOfStep(step.step)}
                {step.iterations !== undefined && ` [${step.iterations.join('.')}]`}
              </span>
              <span className="draft-step-kind">
                {step.kind}, {word}
              </span>
              {step.output !== undefined && (
                <Button
                  size="compact-xs"
                  variant="subtle"
                  aria-expanded={isOpen}
                  aria-label={`Output of ${nameOfStep(step.step)}`}
                  onClick={() => setOpen(isOpen ? undefined : index)}
                >
                  Output
                </Button>
              )}
              {about !== undefined && (
                <span className="draft-step-about">
                  <InlineCode>{about}</InlineCode>
                </span>
              )}
              {isOpen && (
                <div className="draft-step-output">
                  <JsonView value={step.output} label={`Output of ${nameOfStep(step.step)}`} />
                </div>
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** What the run called, would publish, and its record. */
function More({ result: { calls, published, record = {} } }: { result: DraftRun }) {
  const turns = turnsOf(record);
  return (
    <>
      {turns.length > 0 && <TurnsTable turns={turns} record={record} />}
      {calls.length > 0 && (
        <details>
          <summary>{calls.length === 1 ? '1 call' : `${calls.length} calls`}</summary>
          <JsonView value={calls} label="Calls" />
        </details>
      )}
      {published.length > 0 && (
        <details>
          <summary>
            {published.length === 1 ? '1 event' : `${published.length} events`} that a run would publish
          </summary>
          <JsonView value={published} label="Events" />
        </details>
      )}
      {Object.keys(record).length > 0 && turns.length === 0 && (
        <details>
          <summary>Record</summary>
          <JsonView value={record} label="Record" />
        </details>
      )}
    </>
  );
}

function statesOf(steps: readonly DraftStep[]): Map<string, StepState> {
  return new Map(steps.map((step) => [step.step, SPAN_STATES[stateOf(step)]]));
}

function focusOf(steps: readonly DraftStep[]): string | undefined {
  return steps.findLast(({ state }) => state === 'started' || state === 'waiting')?.step;
}

function stateOf({ state, because }: DraftStep): SpanState {
  if (state === 'started') return 'running';
  return state === 'skipped' && because === 'stopped' ? 'stopped' : state;
}
