import { Button, CloseButton, Group, Stack, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Circle, CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Json } from '../../../shared/json.ts';
import { call, nextSubmission, type Submission } from '../../api/call.ts';
import { latestRunsQuery } from '../../api/queries.ts';
import { waitingQuery } from '../inbox/open-requests-query.ts';
import { ButtonLink } from '../../ui/links.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { useMayCall } from '../../api/session/use-session.ts';

const SAMPLE = 'wildlife-strikes';
/** An urgent report, so that the workflow asks a person. */
const REPORT = { id: 'WS-03581', phase: 'Climb', size: 'Large', damage: 'Substantial' };

/** Leads through the sample: run a function, start a workflow, answer its question, read its history. */
export function FirstSteps({ playbook }: { playbook: string }) {
  const [isDone, setDone] = useLocalStorage({ key: `cuebook first steps ${playbook}`, defaultValue: false });
  const mayRun = useMayCall('run_definition');
  if (playbook !== SAMPLE || isDone || !mayRun) return null;
  return <Steps onDone={() => setDone(true)} />;
}

/** How far the person is, and how to start the workflow. */
function useProgress() {
  const computed = useQuery(latestRunsQuery(SAMPLE, { type: 'computation', name: 'triage-score' }, 1));
  const inspected = useQuery(latestRunsQuery(SAMPLE, { type: 'workflow', name: 'inspect-aircraft' }, 1));
  const waiting = useQuery(waitingQuery(SAMPLE, []));
  const run = inspected.data?.[0];
  const question = waiting.data?.requests.find((one) => one.function === 'approve-inspection');
  const hasRun = (computed.data?.length ?? 0) > 0 || run !== undefined;

  const starting = useMutation({
    mutationFn: ({ id, body }: Submission<Json>) =>
      call('run_definition', { playbook: SAMPLE, type: 'workflow', name: 'inspect-aircraft', input: body, run_id: id }),
  });
  return { run, question, hasRun, starting };
}

function Steps({ onDone }: { onDone: () => void }) {
  const navigate = useNavigate();
  const { run, question, hasRun, starting } = useProgress();
  const openRun = (): void => {
    if (run === undefined) return;
    onDone();
    void navigate({ to: '/playbooks/$playbook/runs/$runId', params: { playbook: SAMPLE, runId: run.run_id } });
  };

  return (
    <section className="card steps" aria-label="First steps">
      <Group justify="space-between" mb="xs">
        <Text fw={650} component="h2">
          First steps
        </Text>
        <CloseButton aria-label="Dismiss the first steps" onClick={onDone} />
      </Group>
      <Stack gap={10}>
        <Step
          isDone={hasRun}
          title="Run a function"
          action={
            <ButtonLink
              size="xs"
              variant={hasRun ? 'default' : 'filled'}
              to="/playbooks/$playbook/definitions/$type/$name"
              params={{ playbook: SAMPLE, type: 'computation', name: 'triage-score' }}
              search={{ tab: 'run' }}
            >
              Open triage-score
            </ButtonLink>
          }
        >
          It scores how urgent a report is. Choose an example and run it.
        </Step>
        <Step
          isDone={run !== undefined}
          title="Start a workflow"
          action={
            <Button
              size="xs"
              variant={hasRun && run === undefined ? 'filled' : 'default'}
              loading={starting.isPending}
              onClick={() => starting.mutate(nextSubmission(starting, REPORT))}
            >
              Start inspect-aircraft
            </Button>
          }
        >
          It scores a report with the same function. Because this report is urgent, the workflow asks the duty manager
          whether to inspect the aircraft, and waits up to a day for the answer.
        </Step>
        <Step
          isDone={run !== undefined && run.status !== 'started'}
          title="Answer its question"
          action={
            <ButtonLink
              size="xs"
              variant={run?.status === 'started' ? 'filled' : 'default'}
              {...(question === undefined
                ? { to: '/playbooks/$playbook/inbox', params: { playbook: SAMPLE } }
                : {
                    to: '/playbooks/$playbook/inbox/$runId',
                    params: { playbook: SAMPLE, runId: question.run_id },
                  })}
            >
              Open the inbox
            </ButtonLink>
          }
        >
          The question is in the inbox. You can restart the service in the meantime: the run continues where it left
          off.
        </Step>
        <Step
          isDone={false}
          title="Read its history"
          action={
            <Button
              size="xs"
              variant={run !== undefined && run.status !== 'started' ? 'filled' : 'default'}
              disabled={run === undefined}
              onClick={openRun}
            >
              Open the run
            </Button>
          }
        >
          Every step and every call with its result, in order.
        </Step>
        {starting.error !== null && <ProblemView error={starting.error} />}
      </Stack>
    </section>
  );
}

interface StepProps {
  isDone: boolean;
  title: string;
  action: ReactNode;
  children: ReactNode;
}

function Step({ isDone, title, action, children }: StepProps) {
  const Icon = isDone ? CircleCheck : Circle;
  return (
    <div className="step">
      <Icon
        size={20}
        style={{ color: isDone ? 'var(--cue-good)' : 'var(--cue-quiet)' }}
        role="img"
        aria-label={isDone ? 'Done' : 'To do'}
      />
      <div>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <Text size="sm" c="dimmed">
          {children}
        </Text>
      </div>
      {action}
    </div>
  );
}
