import './schedules.css';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Pause, Play, RotateCcw } from 'lucide-react';
import { Fragment, useState } from 'react';
import type { Schedule } from '../../../shared/api/index.ts';
import { call } from '../../api/call.ts';
import { type DefinitionKey, latestRunsQuery } from '../../api/queries.ts';
import { IfMay } from '../../sign-in/if-may.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Fact } from '../../ui/fact.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { RelativeTime, scheduledTime } from '../../ui/times.tsx';
import { ShortRuns } from '../../ui/short-runs.tsx';
import { Backfill } from './backfill.tsx';
import { ComingTime } from './coming-time.tsx';
import { cadenceWords, schedulesQuery } from './schedule-query.ts';

const LAST_RUNS = 5;

/** The schedule of a definition: its next times and last runs, and what a person can do about them. */
export function ScheduleTab({ definitionKey: key }: { definitionKey: DefinitionKey }) {
  const { data, error } = useQuery(schedulesQuery(key.playbook));
  const schedule = data?.find(({ workflow }) => workflow === key.name);
  if (error !== null) return <ProblemView error={error} />;
  if (data === undefined) return null;
  return (
    <div className="schedule-tab">
      {schedule === undefined ? (
        <EmptyState icon={Pause} title="No schedule">
          Give the workflow a schedule of cron, every or after in its document.
        </EmptyState>
      ) : (
        <Known definitionKey={key} schedule={schedule} />
      )}
    </div>
  );
}

function Known({ definitionKey: key, schedule }: { definitionKey: DefinitionKey; schedule: Schedule }) {
  const { playbook, name } = key;
  const { trigger, next_times: times, paused_at: pausedAt, paused_by: by, set_at: setAt } = schedule;
  const client = useQueryClient();
  const navigate = useNavigate();
  const [isFilling, setFilling] = useState(false);
  const runs = useQuery(latestRunsQuery(playbook, { type: key.type, name }, LAST_RUNS));
  const changing = useMutation({
    mutationFn: (operation: 'pause_schedule' | 'resume_schedule') => call(operation, { playbook, name }),
    onSuccess: () => client.invalidateQueries({ queryKey: schedulesQuery(playbook).queryKey }),
  });
  const starting = useMutation({
    mutationFn: () => call('run_definition', { ...key, input: {} }),
    onSuccess: ({ run_id: runId }) => navigate({ to: '/playbooks/$playbook/runs/$runId', params: { playbook, runId } }),
  });
  const isPaused = pausedAt !== undefined;
  return (
    <Stack maw={760}>
      <Group gap="lg" component="dl" my={0} className="facts">
        <Fact title="Starts">{cadenceWords(schedule)}</Fact>
        <Fact title="State">
          <span role="status">{isPaused ? 'Paused' : 'Active'}</span>
        </Fact>
        {pausedAt !== undefined && (
          <Fact title="Paused">
            <RelativeTime at={pausedAt} /> by {by}
          </Fact>
        )}
        <Fact title="Set">
          <RelativeTime at={setAt} />
        </Fact>
      </Group>
      <Group gap="xs">
        <IfMay call="pause_schedule">
          <Button
            size="xs"
            variant="default"
            leftSection={isPaused ? <Play size={14} aria-hidden /> : <Pause size={14} aria-hidden />}
            loading={changing.isPending}
            onClick={() => changing.mutate(isPaused ? 'resume_schedule' : 'pause_schedule')}
          >
            {isPaused ? 'Resume' : 'Pause'}
          </Button>
        </IfMay>
        <IfMay call="run_definition">
          <Button
            size="xs"
            variant="default"
            leftSection={<Play size={14} aria-hidden />}
            loading={starting.isPending}
            onClick={() => starting.mutate()}
          >
            Run now
          </Button>
        </IfMay>
        {trigger.kind !== 'after' && (
          <Button
            size="xs"
            variant="default"
            leftSection={<RotateCcw size={14} aria-hidden />}
            aria-expanded={isFilling}
            onClick={() => setFilling(!isFilling)}
          >
            Missed times
          </Button>
        )}
      </Group>
      {changing.error !== null && <ProblemView error={changing.error} />}
      {starting.error !== null && <ProblemView error={starting.error} />}
      {isFilling && <Backfill playbook={playbook} name={name} since={setAt} />}
      {times.length > 0 && (
        <section aria-label="Next times">
          <Text component="h2" fw={650} mb={4}>
            Next times
          </Text>
          <div className="next-times">
            {times.map((time) => (
              <Fragment key={time}>
                <Text size="sm" className="number">
                  {scheduledTime(time)}
                </Text>
                <Text size="sm" c="dimmed">
                  <ComingTime at={time} />
                </Text>
              </Fragment>
            ))}
          </div>
        </section>
      )}
      <ShortRuns playbook={playbook} title="Last runs" runs={runs.data} all={[]} nothing="No runs yet." />
    </Stack>
  );
}
