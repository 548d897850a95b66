import { Button, Checkbox, Group, Stack, Table, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import dayjs from 'dayjs';
import { useState } from 'react';
import type { ScheduledTime } from '../../../shared/api/index.ts';
import { call } from '../../api/call.ts';
import { MissingPermission } from '../../sign-in/if-may.tsx';
import { useMayCall } from '../../api/session/use-session.ts';
import { AnchorLink } from '../../ui/links.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { Status } from '../../ui/status.tsx';
import { scheduledTime } from '../../ui/times.tsx';
import { ActionDialog } from '../../ui/action-dialog.tsx';
import { TableHead } from '../../ui/table-head.tsx';

/** As the fields of a browser write it: local time, to the minute. */
const FIELD = 'YYYY-MM-DDTHH:mm';

export interface BackfillProps {
  playbook: string;
  name: string;
  /** When the schedule was set; it has no times before. */
  since: string;
}

/** The past times of a schedule in a period. Missed ones can be run. */
export function Backfill({ playbook, name, since }: BackfillProps) {
  const [from, setFrom] = useState(dayjs(since).format(FIELD));
  const [until, setUntil] = useState(dayjs().format(FIELD));
  const [skipped, setSkipped] = useState<ReadonlySet<string>>(new Set());
  const [isConfirming, setConfirming] = useState(false);
  const mayRun = useMayCall('backfill_schedule');
  const reading = useMutation({
    mutationFn: () =>
      call('list_schedule_times', {
        playbook,
        name,
        from: dayjs(from).toISOString(),
        // The field has no seconds: the minute belongs to the period.
        until: dayjs(until).add(1, 'minute').subtract(1, 'millisecond').toISOString(),
      }),
    onSuccess: () => setSkipped(new Set()),
  });
  const running = useMutation({
    mutationFn: (times: string[]) => call('backfill_schedule', { playbook, name, times }),
    onSuccess: () => setConfirming(false),
  });
  const started = new Map(running.data?.times.map((one) => [one.time, one]));
  const times = reading.data?.times.map((one) => started.get(one.time) ?? one);
  const missed = (times ?? []).filter((one) => one.run_id === undefined);
  const chosen = missed.map(({ time }) => time).filter((time) => !skipped.has(time));
  const words = chosen.length === 1 ? '1 missed time' : `${chosen.length} missed times`;
  const isValid = dayjs(from).isValid() && dayjs(until).isValid();
  const toggle = (time: string): void => setSkipped(withToggled(skipped, time));
  return (
    <section className="card" aria-label="Missed times">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          running.reset();
          reading.mutate();
        }}
      >
        <Group align="end" gap="sm">
          <TextInput
            type="datetime-local"
            label="From"
            value={from}
            onChange={({ currentTarget }) => setFrom(currentTarget.value)}
          />
          <TextInput
            type="datetime-local"
            label="Until"
            value={until}
            onChange={({ currentTarget }) => setUntil(currentTarget.value)}
          />
          <Button type="submit" variant="default" disabled={!isValid} loading={reading.isPending}>
            Show times
          </Button>
        </Group>
      </form>
      {reading.error !== null && <ProblemView error={reading.error} />}
      {times?.length === 0 && (
        <Text size="sm" c="dimmed" mt="sm">
          The schedule has no times in this period. It was set on {scheduledTime(since)}.
        </Text>
      )}
      {times !== undefined && times.length > 0 && (
        <Stack gap="sm" mt="sm">
          <Times playbook={playbook} times={times} skipped={skipped} onToggle={mayRun ? toggle : undefined} />
          {reading.data?.has_more === true && (
            <Text size="sm" c="dimmed">
              The period has more times. Choose a later beginning to see them.
            </Text>
          )}
          <MissingPermission call="backfill_schedule" to="run missed times" />
          {mayRun && (
            <Group>
              <Button size="xs" disabled={chosen.length === 0} onClick={() => setConfirming(true)}>
                {missed.length === 0 ? 'No missed times' : `Run ${words}`}
              </Button>
            </Group>
          )}
        </Stack>
      )}
      <ActionDialog
        title={`Run ${words}`}
        opened={isConfirming}
        action={`Start ${chosen.length === 1 ? '1 run' : `${chosen.length} runs`}`}
        focus="action"
        isPending={running.isPending}
        error={running.error}
        onAction={() => running.mutate(chosen)}
        onClose={() => setConfirming(false)}
      >
        <Text size="sm">
          This starts a run of the current version of <b>{name}</b> for each of them, all with the input{' '}
          <code>{'{}'}</code>. The runs start immediately, and may call tools and models.
        </Text>
      </ActionDialog>
    </section>
  );
}

function withToggled(times: ReadonlySet<string>, time: string): ReadonlySet<string> {
  const next = new Set(times);
  if (!next.delete(time)) next.add(time);
  return next;
}

function Times({
  playbook,
  times,
  skipped,
  onToggle,
}: {
  playbook: string;
  times: readonly ScheduledTime[];
  skipped: ReadonlySet<string>;
  onToggle: ((time: string) => void) | undefined;
}) {
  return (
    <Table fz="sm" verticalSpacing={4} aria-label="Times">
      <TableHead titles={['Time', 'Run']} />
      <Table.Tbody>
        {times.map(({ time, run_id: runId, status }) => (
          <Table.Tr key={time}>
            <Table.Td className="number">
              {runId === undefined && onToggle !== undefined ? (
                <Checkbox
                  size="xs"
                  styles={{ label: { fontSize: 'inherit' } }}
                  label={scheduledTime(time)}
                  checked={!skipped.has(time)}
                  onChange={() => onToggle(time)}
                />
              ) : (
                scheduledTime(time)
              )}
            </Table.Td>
            <Table.Td>
              {runId === undefined || status === undefined ? (
                'Missed'
              ) : (
                <AnchorLink to="/playbooks/$playbook/runs/$runId" params={{ playbook, runId }}>
                  <Status run={{ status }} />
                </AnchorLink>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
