import '../../ui/two-columns.css';
import { Button, Group, Loader, Skeleton, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { DEFINITION_FACTS } from '../../../shared/definition-types.ts';
import type { Json } from '../../../shared/json.ts';
import type { Definition, Run, RunWithRecord } from '../../../shared/api/index.ts';
import { call, nextSubmission, type Submission } from '../../api/call.ts';
import { type DefinitionKey, eventQuery, runQuery, runStartQuery } from '../../api/queries.ts';
import { ProblemError } from '../../api/problem-error.ts';
import { ButtonLink } from '../../ui/links.tsx';
import { useCommandKey } from '../../ui/keyboard.ts';
import { ShortcutKey } from '../../ui/shortcut-key.tsx';
import { SHORTCUTS } from '../../ui/shortcuts.ts';
import { OutputView } from '../../shapes/output-view.tsx';
import { callCopies } from '../../ui/call-copies.ts';
import { CopyAs } from '../../ui/copy-as.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { Status } from '../../ui/status.tsx';
import { RunDuration } from '../../ui/times.tsx';
import { AnswerLink } from '../run/answer-link.tsx';
import { RunEnding } from '../run/run-ending.tsx';
import { GrowingText } from '../run/growing-text.tsx';
import { useTree } from '../run/use-tree.ts';
import { DraftChoice, type DraftOptions, draftRequest } from './draft-run/draft-choice.tsx';
import { useDraftCheck } from './draft-run/use-draft-check.ts';
import { useDraftRun } from './draft-run/use-draft-run.ts';
import { InputFields, type RunInput, useRunInput } from './run-input.tsx';
import { rememberRerun } from '../run/reruns.ts';
import type { DraftSource } from './use-source.ts';
import { MissingPermission } from '../../sign-in/if-may.tsx';
import { useMayCall } from '../../api/session/use-session.ts';

const DraftOutcome = lazy(async () => ({ default: (await import('./draft-run/draft-outcome.tsx')).DraftOutcome }));

export interface RunPanelProps {
  definitionKey: DefinitionKey;
  /** Undefined for a definition that was never saved: only its draft can run. */
  definition: Definition | undefined;
  source: DraftSource;
  /** The panel was opened to run. */
  atOnce: boolean;
  /** The run to repeat. */
  fromRun?: string | undefined;
}

/** Waits for the input of the run to repeat, if there is one. */
export function RunPanel({ fromRun: again, ...props }: RunPanelProps) {
  const { playbook } = props.definitionKey;
  const start = useQuery({ ...runStartQuery(playbook, again ?? ''), enabled: again !== undefined });
  const whole = useQuery({ ...eventQuery(playbook, start.data?.id ?? ''), enabled: start.data !== undefined });
  if (again === undefined) return <Panel {...props} first={undefined} prefilled={undefined} />;
  const error = start.error ?? whole.error;
  if (error !== null) return <ProblemView error={error} />;
  if (whole.data === undefined) return <Skeleton height={300} />;
  return <Panel key={again} {...props} first={again} prefilled={whole.data.data['input']} />;
}

interface PanelProps extends Omit<RunPanelProps, 'fromRun'> {
  /** The run that is repeated, and its input. */
  first: string | undefined;
  prefilled: Json | undefined;
}

function Panel({ definitionKey, definition, source, atOnce, first, prefilled }: PanelProps) {
  const { type } = definitionKey;
  const [chosen, setChosen] = useState<'draft' | 'version'>();
  const [options, setOptions] = useState<DraftOptions>({ callTools: false, callModels: false });
  const mayDraft = useMayCall('follow_draft');
  const mayRun = useMayCall('run_definition');
  // What is shown beside it is what runs: unsaved changes too, unless the run repeats a recorded one.
  const proposed = source.isChanged && first === undefined ? 'draft' : 'version';
  const isSaved = definition !== undefined;
  const isDraft = mayDraft && (!isSaved || (chosen ?? proposed) === 'draft');
  const { declared, isLoading } = useDraftCheck(definitionKey, source.text, isDraft);
  const input = useRunInput(definitionKey, definition, declared, prefilled);
  const drafting = useDraftRun();
  const running = useRun(definitionKey, first);
  const mayStart = isDraft || (mayRun && definition?.status === 'active');
  const canRun = input.isComplete && mayStart;
  const isPending = isDraft ? drafting.isPending : running.isPending;
  const isIdle = isDraft ? drafting.request === undefined : running.isIdle;
  const run = (): void => {
    if (isPending || !canRun) return;
    if (isDraft) drafting.start(draftRequest(definitionKey, source.text, input.value, options));
    else running.mutate(nextSubmission(running, input.value));
  };
  useCommandKey('Enter', run);
  const { result, runButton } = useRunFocus(run, { atOnce, isIdle, isPending });

  return (
    <div className="run-panel">
      <section aria-label="Input" className="run-half">
        <Group justify="space-between" mb="sm" gap="xs">
          <Text component="h2" fw={650}>
            Input
          </Text>
          <Group gap="xs">
            <CopyAs
              isOff={!input.isComplete}
              copies={[
                ...(isDraft ? [] : callCopies('run_definition', { ...definitionKey, input: input.value })),
                { name: 'JSON', text: () => JSON.stringify(input.value, undefined, 2) },
              ]}
            />
            <Button
              ref={runButton}
              size="xs"
              // Not disabled while running, because a disabled button loses the focus.
              aria-busy={isPending}
              leftSection={isPending ? <Loader size={14} color="currentColor" /> : <Play size={14} aria-hidden />}
              rightSection={<ShortcutKey of={SHORTCUTS.run} />}
              disabled={!canRun}
              onClick={run}
            >
              Run
            </Button>
          </Group>
        </Group>
        <MissingPermission call="run_definition" to="run definitions" />
        {mayDraft && (
          <DraftChoice
            type={type}
            isSaved={isSaved}
            isChanged={source.isChanged}
            isDraft={isDraft}
            options={options}
            onChoose={setChosen}
            onOptions={setOptions}
          />
        )}
        <InputFields playbook={definitionKey.playbook} input={input} first={first} isLoading={!isSaved && isLoading} />
      </section>
      <section ref={result} aria-label="Result" className="run-half run-result" aria-live="polite">
        {isIdle && <NotRun definition={definition} input={input} mayStart={mayStart} isDraft={isDraft} />}
        {isDraft && !isIdle && (
          <Suspense fallback={<Skeleton height={180} />}>
            <DraftOutcome definitionKey={definitionKey} source={source} draft={drafting} graph={declared?.graph} />
          </Suspense>
        )}
        {!isDraft && <RecordedRun definitionKey={definitionKey} running={running} />}
      </section>
    </div>
  );
}

function useRun(definitionKey: DefinitionKey, first: string | undefined) {
  return useMutation({
    mutationFn: ({ id, body }: Submission<Json>) =>
      call('run_definition', { ...definitionKey, input: body, run_id: id }),
    onSuccess(run) {
      if (first !== undefined) rememberRerun(run.run_id, first);
    },
  });
}

interface RunProgress {
  atOnce: boolean;
  isIdle: boolean;
  isPending: boolean;
}

/** Runs once if the panel was opened to run, and shows the result. */
function useRunFocus(run: () => void, { atOnce, isIdle, isPending }: RunProgress) {
  const result = useRef<HTMLElement>(null);
  useEffect(() => {
    // On narrow pages it is below the form.
    if (!isIdle) result.current?.scrollIntoView({ block: 'nearest' });
  }, [isIdle, isPending]);
  const runButton = useRef<HTMLButtonElement>(null);
  const isOpenedToRun = useRef(atOnce);
  useEffect(() => {
    if (!isOpenedToRun.current) return;
    isOpenedToRun.current = false;
    runButton.current?.focus();
    run();
  });
  return { result, runButton };
}

interface NotRunProps {
  definition: Definition | undefined;
  input: RunInput;
  mayStart: boolean;
  isDraft: boolean;
}

function NotRun({ definition, input, mayStart, isDraft }: NotRunProps) {
  return (
    <EmptyState icon={Play} title={mayStart ? 'Not run yet' : 'Cannot be run'}>
      {mayStart ? (
        <>
          Enter the input{input.examples.length > 0 && ' or choose an example'}, then press Run. The result appears here
          {isDraft ? '. A draft run is not recorded.' : ', and the run is kept in the history.'}
        </>
      ) : definition?.status === 'retired' ? (
        'This definition is retired. Its runs stay in the history.'
      ) : (
        'You can see its runs in the history.'
      )}
    </EmptyState>
  );
}

interface RecordedRunProps {
  definitionKey: DefinitionKey;
  running: ReturnType<typeof useRun>;
}

function RecordedRun({ definitionKey: { playbook, type }, running }: RecordedRunProps) {
  if (running.isPending) {
    const isFollowed = DEFINITION_FACTS[type].streamsText === true;
    return (
      <GrowingText playbook={playbook} runId={running.variables.id} isFollowed={isFollowed}>
        <Skeleton height={180} />
      </GrowingText>
    );
  }
  if (running.error !== null) return <Refusal playbook={playbook} error={running.error} />;
  return running.data && <Result playbook={playbook} run={running.data} />;
}

/** The run as returned, then its current state. */
function Result({ playbook, run: returned }: { playbook: string; run: Run }) {
  const now = useQuery({ ...runQuery(playbook, returned.run_id), enabled: returned.status === 'started' });
  return <RunResult playbook={playbook} run={now.data ?? { ...returned, record: {} }} />;
}

/** Shows the run if the problem is the ending of a run, and otherwise the problem. */
function Refusal({ playbook, error }: { playbook: string; error: unknown }) {
  const runId = error instanceof ProblemError ? error.problem.run_id : undefined;
  const run = useQuery({ ...runQuery(playbook, runId ?? ''), enabled: runId !== undefined });
  if (run.data !== undefined) return <RunResult playbook={playbook} run={run.data} />;
  return runId === undefined || run.error !== null ? <ProblemView error={error} /> : <Skeleton height={180} />;
}

function RunResult({ playbook, run }: { playbook: string; run: RunWithRecord }) {
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Group gap="md">
          <Status run={run} />
          {run.ended_at !== undefined && (
            <Text size="sm" c="dimmed">
              <RunDuration run={run} />
            </Text>
          )}
        </Group>
        <Group gap="xs">
          {run.status === 'started' && <AnswerNow playbook={playbook} runId={run.run_id} />}
          <OpenRun playbook={playbook} runId={run.run_id} />
        </Group>
      </Group>
      {run.status === 'started' && (
        <Text size="sm" c="dimmed">
          The run continues in the background, even after a restart. Its output appears here when it ends.
        </Text>
      )}
      {run.status === 'succeeded' && <OutputView output={run.output} shape={run.output_shape} />}
      <RunEnding playbook={playbook} run={run} />
    </Stack>
  );
}

function AnswerNow({ playbook, runId }: { playbook: string; runId: string }) {
  const { events } = useTree(playbook, runId);
  return <AnswerLink playbook={playbook} runId={runId} events={events} />;
}

function OpenRun({ playbook, runId }: { playbook: string; runId: string }) {
  return (
    <ButtonLink size="xs" variant="default" to="/playbooks/$playbook/runs/$runId" params={{ playbook, runId }}>
      Open the run
    </ButtonLink>
  );
}
