import { Button, CloseButton, Group, Stack, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Circle, CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { publishEvent } from '../../api/operations.ts';
import { latestRunsQuery } from '../../api/queries.ts';
import { ProblemView } from '../../ui/problem-view.tsx';

const SAMPLE = 'support-desk';
const REPORT = 'WS-03581';

/** Leads through the sample: run a function, start a workflow by an event, answer it, read its history. */
export function FirstSteps({ playbook }: { playbook: string }) {
  const [isDone, setDone] = useLocalStorage({ key: `cuebook first steps ${playbook}`, defaultValue: false });
  if (playbook !== SAMPLE || isDone) return null;
  return <Steps onDone={() => setDone(true)} />;
}

function Steps({ onDone }: { onDone: () => void }) {
  const navigate = useNavigate();
  const computed = useQuery(latestRunsQuery(SAMPLE, { type: 'computation', name: 'triage-score' }, 1));
  const handled = useQuery(latestRunsQuery(SAMPLE, { type: 'workflow', name: 'handle-report' }, 1));
  const run = handled.data?.[0];
  const hasRun = (computed.data?.length ?? 0) > 0 || run !== undefined;

  const report = useMutation({
    mutationFn: () =>
      publishEvent(SAMPLE, {
        source: '/studio/first-steps',
        type: 'report.received',
        data: {
          id: REPORT,
          received_at: new Date().toISOString(),
          phase: 'Climb',
          size: 'Large',
          damage: 'Substantial',
        },
      }),
  });
  const answer = useMutation({
    mutationFn: () =>
      publishEvent(SAMPLE, {
        source: '/studio/first-steps',
        type: 'report.answered',
        data: { report: REPORT, by: 'You' },
      }),
  });
  const openRun = (): void => {
    if (run === undefined) return;
    onDone();
    void navigate({ to: '/playbooks/$playbook/runs/$runId', params: { playbook: SAMPLE, runId: run.run_id } });
  };
  const error = report.error ?? answer.error;

  return (
    <section className="card steps" aria-label="First steps">
      <Group justify="space-between" mb="xs">
        <Text fw={650} component="h2">
          First steps
        </Text>
        <CloseButton aria-label="Put the first steps away" onClick={onDone} />
      </Group>
      <Stack gap={10}>
        <Step
          isDone={hasRun}
          title="Run a function"
          action={
            <Button
              size="xs"
              variant={hasRun ? 'default' : 'filled'}
              renderRoot={(props) => (
                <Link
                  {...props}
                  to="/playbooks/$playbook/definitions/$type/$name"
                  params={{ playbook: SAMPLE, type: 'computation', name: 'triage-score' }}
                  search={{ tab: 'run' }}
                />
              )}
            >
              Open triage-score
            </Button>
          }
        >
          It scores how urgent a report is. Take one of its examples and run it.
        </Step>
        <Step
          isDone={run !== undefined}
          title="Start a workflow"
          action={
            <Button
              size="xs"
              variant={hasRun && run === undefined ? 'filled' : 'default'}
              loading={report.isPending}
              onClick={() => report.mutate()}
            >
              Report a strike
            </Button>
          }
        >
          An event of the type <code>report.received</code> starts <code>handle-report</code>, which ranks the report
          and then waits for an answer, for days if it must.
        </Step>
        <Step
          isDone={run !== undefined && run.status !== 'started'}
          title="Answer it"
          action={
            <Button
              size="xs"
              variant={run?.status === 'started' ? 'filled' : 'default'}
              disabled={run?.status !== 'started'}
              loading={answer.isPending}
              onClick={() => answer.mutate()}
            >
              Send the answer
            </Button>
          }
        >
          The run listens for <code>report.answered</code>. Restart the service meanwhile if you like: it goes on where
          it was.
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
          Every step, every call and what each gave, in order.
        </Step>
        {error !== null && <ProblemView error={error} />}
      </Stack>
    </section>
  );
}

function Step({
  isDone,
  title,
  action,
  children,
}: {
  isDone: boolean;
  title: string;
  action: ReactNode;
  children: ReactNode;
}) {
  const Icon = isDone ? CircleCheck : Circle;
  return (
    <Group wrap="nowrap" gap="sm" align="center">
      <Icon
        size={20}
        style={{ color: isDone ? 'var(--cue-good)' : 'var(--cue-quiet)', flexShrink: 0 }}
        aria-label={isDone ? 'Done' : 'To do'}
      />
      <div style={{ flex: 1, minWidth: 0 }}>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <Text size="sm" c="dimmed">
          {children}
        </Text>
      </div>
      {action}
    </Group>
  );
}
