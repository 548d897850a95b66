import { Alert, Button, Group, Select, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { ArrowLeft, ArrowRight, Clock3, Send } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import type { Input, RunWithRecord } from '../../../shared/api/index.ts';
import { call } from '../../api/call.ts';
import { ButtonLink } from '../../ui/links.tsx';
import { useCommandKey, useKeys } from '../../ui/keyboard.ts';
import { ShortcutKey } from '../../ui/shortcut-key.tsx';
import { SHORTCUTS } from '../../ui/shortcuts.ts';
import { InputForm } from '../../forms/input-form.tsx';
import { blankValue } from '../../forms/schema/blank-value.ts';
import { callCopies } from '../../ui/call-copies.ts';
import { CopyAs } from '../../ui/copy-as.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { BuildAnswer } from './build-answer.tsx';
import type { BuildAsked } from './build-asked.ts';
import { useMe } from './parties.ts';
import { answersFor } from './parties.ts';
import { RequestEnding } from './request-ending.tsx';
import { type RequestState, type Story, requestStateOf, tookAnswer } from './story.ts';
import { TimeLeft } from './time-left.tsx';
import { useAnswerDraft } from './use-answer-draft.ts';
import { useNextRequest } from './use-next-request.ts';
import { MissingPermission } from '../../sign-in/if-may.tsx';
import { useMayCall } from '../../api/session/use-session.ts';

export interface QuestionProps {
  playbook: string;
  run: RunWithRecord;
  story: Story;
  /** The build that is asked for, if any. */
  build: BuildAsked | undefined;
}

const ANY_VALUE: JsonObject = {};

/** The answer form of an open question, or the answer and ending of a closed one. */
export function Question({ playbook, run, story, build }: QuestionProps) {
  const navigate = useNavigate();
  const [me] = useMe();
  const { written, sending } = useAnswer(playbook, run, story);
  const { draft, answer, answerCall, schema, forWhom, setForWhom, setUnread } = written;
  const { state, isMine, isOpen, answering, canSend, mayAnswer, send } = sending;
  const { broken } = draft;
  const next = useNextRequest(playbook, run.run_id);
  const openNext = (): void =>
    void (next === undefined
      ? navigate({ to: '/playbooks/$playbook/inbox', params: { playbook } })
      : navigate({ to: '/playbooks/$playbook/inbox/$runId', params: { playbook, runId: next } }));
  useCommandKey('Enter', send);
  useKeys(isOpen ? { [SHORTCUTS.answerLater[0]]: openNext } : {});

  if (!isOpen) {
    return (
      <Stack gap="md">
        {state !== 'open' && (
          <RequestEnding
            run={run}
            story={story}
            state={state}
            isMine={isMine}
            draft={broken ?? draft.answer}
            onDrop={draft.drop}
          />
        )}
        <Continue playbook={playbook} run={run} next={next} isMine={isMine} />
      </Stack>
    );
  }
  const form = (
    <InputForm
      schema={schema}
      what="answer"
      hasButtons
      value={answer}
      onChange={draft.write}
      broken={broken}
      onBroken={draft.writeBroken}
      onUnread={setUnread}
    />
  );
  return (
    <section className="card" aria-label="Answer">
      <Head expiresAt={story.requested.data['expires_at']} answerCall={answerCall} canSend={canSend} />
      <Stack gap="md">
        {build === undefined ? (
          <div>{form}</div>
        ) : (
          <>
            <BuildAnswer playbook={playbook} build={build} answer={answer} onChange={draft.write} />
            <details open={broken !== undefined || undefined}>
              <summary>Edit the answer as JSON</summary>
              {form}
            </details>
          </>
        )}
        {!draft.isKept && (
          <Alert color="yellow" title="Draft not saved">
            The browser's storage is full. The draft is lost when you leave this page.
          </Alert>
        )}
        {me.length > 0 && <OnBehalfOf parties={me} value={forWhom} onChange={setForWhom} />}
        {answering.error !== null && <ProblemView error={answering.error} />}
        <MissingPermission call="answer_interaction" to="answer" />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" leftSection={<Clock3 size={15} aria-hidden />} onClick={openNext}>
            Later
          </Button>
          <Button
            leftSection={<Send size={15} aria-hidden />}
            rightSection={<ShortcutKey of={SHORTCUTS.run} />}
            loading={answering.isPending}
            disabled={!canSend || !mayAnswer}
            onClick={send}
          >
            Answer
          </Button>
        </Group>
        <Text size="xs" c="dimmed">
          Later leaves the question open{draft.answer === undefined ? '' : ', keeps your draft,'} and opens the next
          one. No answer is sent.
        </Text>
      </Stack>
    </section>
  );
}

/** The answer as the person writes it, and how it is sent. */
function useAnswer(playbook: string, run: RunWithRecord, story: Story) {
  const client = useQueryClient();
  const [me] = useMe();
  const { requested } = story;
  const runId = run.run_id;
  const state = requestStateOf(story, run.status) as Exclude<RequestState, 'notice'>;
  const draft = useAnswerDraft(playbook, runId);
  const [forWhom, setForWhom] = useState(() => answersFor(me, String(requested.data['to'])) ?? '');
  const { broken } = draft;
  const [isUnread, setUnread] = useState(false);

  const given = requested.data['answer_schema'];
  const schema = isJsonObject(given) ? given : ANY_VALUE;
  const blank = useMemo(() => blankValue(schema, null), [schema]);
  const answer = draft.answer === undefined ? blank : draft.answer;
  const canSend = broken === undefined && !isUnread;
  const answerCall = { playbook, run_id: runId, answer, ...(forWhom === '' ? {} : { claimed_for: forWhom }) };
  const readAgain = (): Promise<void> => client.invalidateQueries({ queryKey: [playbook, 'run', runId] });
  const answering = useMutation({
    mutationFn: () => call('answer_interaction', answerCall),
    onSuccess() {
      draft.drop();
      void readAgain();
    },
    // Reload first: the request may have been answered by someone else, or have ended.
    onError: readAgain,
  });
  // If the response was lost, the request itself shows that the answer was recorded.
  const isTaken = draft.answer !== undefined && tookAnswer(story, draft.answer);
  useEffect(() => {
    if (isTaken) draft.drop();
  }, [isTaken, draft]);
  const isMine = answering.data !== undefined || isTaken;
  const isOpen = state === 'open' && !isMine;
  const mayAnswer = useMayCall('answer_interaction');
  const send = (): void => {
    if (isOpen && mayAnswer && canSend && !answering.isPending) answering.mutate();
  };
  return {
    written: { draft, answer, answerCall, schema, forWhom, setForWhom, setUnread },
    sending: { state, isMine, isOpen, answering, canSend, mayAnswer, send },
  };
}

interface HeadProps {
  expiresAt: Json | undefined;
  answerCall: Input<'answer_interaction'>;
  canSend: boolean;
}

function Head({ expiresAt, answerCall, canSend }: HeadProps) {
  return (
    <Group justify="space-between" mb="sm" gap="xs">
      <Text component="h2" fw={650}>
        Answer
      </Text>
      <Group gap="sm">
        {expiresAt !== undefined && (
          <Text size="sm" component="span">
            <TimeLeft until={String(expiresAt)} />
          </Text>
        )}
        <CopyAs
          isOff={!canSend}
          copies={[
            ...callCopies('answer_interaction', answerCall),
            { name: 'JSON', text: () => JSON.stringify(answerCall.answer, undefined, 2) },
          ]}
        />
      </Group>
    </Group>
  );
}

interface OnBehalfOfProps {
  parties: readonly string[];
  /** Empty for no one. */
  value: string;
  onChange: (party: string) => void;
}

function OnBehalfOf({ parties, value, onChange }: OnBehalfOfProps) {
  return (
    <Select
      size="xs"
      label="On behalf of"
      description="Recorded with the answer, but not verified."
      data={[...parties.map((party) => ({ value: party, label: party })), { value: '', label: 'No one' }]}
      value={value}
      onChange={(chosen) => onChange(chosen ?? '')}
      allowDeselect={false}
      maw={300}
    />
  );
}

interface ContinueProps {
  playbook: string;
  run: RunWithRecord;
  next: string | undefined;
  isMine: boolean;
}

/** Links to continue with after a question is closed. */
function Continue({ playbook, run, next, isMine }: ContinueProps) {
  const first = useRef<HTMLAnchorElement>(null);
  const runId = run.called_by?.run_id ?? run.run_id;
  useEffect(() => {
    // The focused button disappeared with the form.
    if (isMine) first.current?.focus();
  }, [isMine]);
  return (
    <Group gap="xs">
      <Button
        {...(next === undefined
          ? { leftSection: <ArrowLeft size={15} aria-hidden /> }
          : { rightSection: <ArrowRight size={15} aria-hidden /> })}
        renderRoot={(props) =>
          next === undefined ? (
            <Link {...props} ref={first} to="/playbooks/$playbook/inbox" params={{ playbook }} />
          ) : (
            <Link {...props} ref={first} to="/playbooks/$playbook/inbox/$runId" params={{ playbook, runId: next }} />
          )
        }
      >
        {next === undefined ? 'Back to the inbox' : 'Next question'}
      </Button>
      <ButtonLink variant="default" to="/playbooks/$playbook/runs/$runId" params={{ playbook, runId }}>
        {run.called_by === undefined ? 'Open the run' : 'Open the calling run'}
      </ButtonLink>
    </Group>
  );
}
