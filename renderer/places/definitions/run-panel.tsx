import '../../ui/two-columns.css';
import { Button, Group, Loader, Select, Skeleton, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Play } from 'lucide-react';
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { DEFINITION_FACTS } from '../../../shared/definition-types.ts';
import type { Json } from '../../../shared/json.ts';
import type { Definition, Run, RunWithRecord } from '../../../shared/api/index.ts';
import { call, nextSubmission, type Submission } from '../../api/call.ts';
import { type DefinitionKey, eventQuery, runQuery, runStartQuery } from '../../api/queries.ts';
import { ProblemError } from '../../api/problem-error.ts';
import { useCommandKey } from '../../ui/keyboard.ts';
import { ShortcutKey } from '../../ui/shortcut-key.tsx';
import { SHORTCUTS } from '../../ui/shortcuts.ts';
import { InputForm } from '../../forms/input-form.tsx';
import { firstInput, keepInput, readInput, runInputOf } from '../../forms/kept-input.ts';
import { blankValue } from '../../forms/schema/blank-value.ts';
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
import { EventExample } from './event-example.tsx';
import { blankList, type EventInput, eventInputOf } from './event-input.ts';
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

function Panel({
  definitionKey,
  definition,
  source,
  atOnce,
  first,
  prefilled,
}: Omit<RunPanelProps, 'fromRun'> & { first: string | undefined; prefilled: Json | undefined }) {
  const { playbook, type, name } = definitionKey;
  const examples = definition?.details.examples ?? [];
  const [kept] = useState(() =>
    prefilled === undefined ? readInput(runInputOf(definitionKey)) : { value: prefilled },
  );
  const [written, setWritten] = useState<Json | undefined>(() => firstInput(kept, examples));
  const [example, setExample] = useState<string | null>(kept === undefined && examples[0] !== undefined ? '0' : null);
  const [broken, setBroken] = useState(kept?.broken);
  const [isUnread, setUnread] = useState(false);
  const { isChanged } = source;
  const mayDraft = useMayCall('follow_draft');
  const [chosen, setChosen] = useState<'draft' | 'version'>();
  // What is shown beside it is what runs: unsaved changes too, unless the run repeats a recorded one.
  const proposed = isChanged && first === undefined ? 'draft' : 'version';
  const isSaved = definition !== undefined;
  const isDraft = mayDraft && (!isSaved || (chosen ?? proposed) === 'draft');
  const drafting = useDraftRun();
  const [options, setOptions] = useState<DraftOptions>({ callTools: false, callModels: false });
  const { declared, isLoading } = useDraftCheck(definitionKey, source.text, isDraft);
  const schema = declared === undefined ? definition?.input_schema : declared.input_schema;
  const triggers = declared === undefined ? definition?.triggers : declared.triggers;
  const events = useMemo(() => eventInputOf(triggers), [triggers]);
  const blank = useMemo(() => blankInput(schema, events), [schema, events]);
  const input = written === undefined ? blank : written;
  const write = (value: Json): void => {
    setWritten(value);
    keepInput(runInputOf(definitionKey), { value });
  };
  const writeBroken = (text: string | undefined): void => {
    setBroken(text);
    keepInput(runInputOf(definitionKey), { value: input, broken: text });
  };
  const running = useMutation({
    mutationFn: ({ id, body }: Submission<Json>) =>
      call('run_definition', { ...definitionKey, input: body, run_id: id }),
    onSuccess(run) {
      if (first !== undefined) rememberRerun(run.run_id, first);
    },
  });
  const mayRun = useMayCall('run_definition');
  const mayStart = isDraft || (mayRun && definition?.status === 'active');
  const canRun = broken === undefined && !isUnread && mayStart;
  const isPending = isDraft ? drafting.isPending : running.isPending;
  const run = (): void => {
    if (isPending || !canRun) return;
    if (isDraft) drafting.start(draftRequest(definitionKey, source.text, input, options));
    else running.mutate(nextSubmission(running, input));
  };
  useCommandKey('Enter', run);
  const result = useRef<HTMLElement>(null);
  const isIdle = isDraft ? drafting.request === undefined : running.isIdle;
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

  return (
    <div className="run-panel">
      <section aria-label="Input" className="run-half">
        <Group justify="space-between" mb="sm" gap="xs">
          <Text component="h2" fw={650}>
            Input
          </Text>
          <Group gap="xs">
            <CopyAs
              isOff={broken !== undefined || isUnread}
              copies={[
                ...(isDraft ? [] : callCopies('run_definition', { playbook, type, name, input })),
                { name: 'JSON', text: () => JSON.stringify(input, undefined, 2) },
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
            isChanged={isChanged}
            isDraft={isDraft}
            options={options}
            onChoose={setChosen}
            onOptions={setOptions}
          />
        )}
        {examples.length > 0 && (
          <Select
            size="xs"
            mb="sm"
            aria-label="Example"
            placeholder="Choose an example"
            data={examples.map((one, index) => ({ value: String(index), label: one.name }))}
            value={example}
            onChange={(value) => {
              setExample(value);
              const chosen = examples[Number(value)];
              if (value === null || chosen === undefined) return;
              write(chosen.input);
              setBroken(undefined);
            }}
          />
        )}
        {first !== undefined && (
          <Text size="sm" c="dimmed" mb="xs">
            Input from{' '}
            <Link to="/playbooks/$playbook/runs/$runId" params={{ playbook, runId: first }}>
              run {first.slice(0, 8)}
            </Link>
            .
          </Text>
        )}
        {events !== undefined && first === undefined && (
          <EventExample
            playbook={playbook}
            input={events}
            onUse={(list) => {
              write(list);
              setExample(null);
              setBroken(undefined);
            }}
          />
        )}
        {!isSaved && isLoading ? (
          <Skeleton height={260} />
        ) : (
          <InputForm
            schema={schema}
            hint={events === undefined ? undefined : null}
            onUnread={setUnread}
            value={input}
            broken={broken}
            onBroken={writeBroken}
            onChange={(value) => {
              write(value);
              setExample(null);
            }}
          />
        )}
      </section>
      <section ref={result} aria-label="Result" className="run-half run-result" aria-live="polite">
        {isIdle && (
          <EmptyState icon={Play} title={mayStart ? 'Not run yet' : 'Cannot be run'}>
            {mayStart ? (
              <>
                Enter the input{examples.length > 0 && ' or choose an example'}, then press Run. The result appears here
                {isDraft ? '. A draft run is not recorded.' : ', and the run is kept in the history.'}
              </>
            ) : definition?.status === 'retired' ? (
              'This definition is retired. Its runs stay in the history.'
            ) : (
              'You can see its runs in the history.'
            )}
          </EmptyState>
        )}
        {isDraft && !isIdle && (
          <Suspense fallback={<Skeleton height={180} />}>
            <DraftOutcome definitionKey={definitionKey} source={source} draft={drafting} graph={declared?.graph} />
          </Suspense>
        )}
        {!isDraft && running.isPending && (
          <GrowingText
            playbook={playbook}
            runId={running.variables.id}
            isFollowed={DEFINITION_FACTS[type].streamsText === true}
          >
            <Skeleton height={180} />
          </GrowingText>
        )}
        {!isDraft && running.error !== null && <Refusal playbook={playbook} error={running.error} />}
        {!isDraft && running.data !== undefined && <Result playbook={playbook} run={running.data} />}
      </section>
    </div>
  );
}

function blankInput(schema: Definition['input_schema'], events: EventInput | undefined): Json {
  if (schema === undefined && events !== undefined) return blankList(events);
  return blankValue(schema ?? {}, {});
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
    <Button
      size="xs"
      variant="default"
      renderRoot={(props) => <Link {...props} to="/playbooks/$playbook/runs/$runId" params={{ playbook, runId }} />}
    >
      Open the run
    </Button>
  );
}
