import { Button, Group, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { CircleStop, RotateCcw } from 'lucide-react';
import { useRef, useState } from 'react';
import type { RunListEntry } from '../../../../shared/api/index.ts';
import { useMayCall } from '../../../api/session/use-session.ts';
import { ActDialog } from './act-dialog.tsx';
import { cancelRun, isCancellable, runAgain } from './act-on-runs.ts';
import { countsByDefinition, runsWords } from './words.ts';

export interface SelectionBarProps {
  playbook: string;
  /** The selected runs, each once. */
  runs: readonly RunListEntry[];
  /** Selects all runs that are listed; undefined if they are. */
  onSelectAll: (() => void) | undefined;
  /** Removes runs from the selection. */
  onDeselect: (runIds: readonly string[]) => void;
}

/** What can be done with the selected runs. */
export function SelectionBar({ playbook, runs, onSelectAll, onDeselect }: SelectionBarProps) {
  const [acting, setActing] = useState<{ is: 'cancel' | 'again'; runs: readonly RunListEntry[]; others: number }>();
  const mayCancel = useMayCall('cancel_run');
  const mayRun = useMayCall('run_definition');
  const cancellable = mayCancel ? runs.filter(isCancellable) : [];
  const ended = mayRun ? runs.filter(({ status }) => status !== 'started') : [];
  const open = (is: 'cancel' | 'again', chosen: readonly RunListEntry[]): void =>
    setActing({ is, runs: chosen, others: runs.length - chosen.length });
  const close = (acted: readonly string[]): void => {
    setActing(undefined);
    onDeselect(acted);
  };
  return (
    <>
      {runs.length > 0 && (
        <section aria-label="Selected runs" className="run-selection">
          <Text size="sm" fw={600} role="status">
            {runsWords(runs.length)} selected
          </Text>
          <Group gap="xs">
            {cancellable.length > 0 && (
              <Button
                variant="default"
                size="xs"
                leftSection={<CircleStop size={14} aria-hidden />}
                onClick={() => open('cancel', cancellable)}
              >
                Cancel ({cancellable.length})
              </Button>
            )}
            {ended.length > 0 && (
              <Button size="xs" leftSection={<RotateCcw size={14} aria-hidden />} onClick={() => open('again', ended)}>
                Run again ({ended.length})
              </Button>
            )}
            {cancellable.length + ended.length === 0 && (
              <Text size="sm" c="dimmed">
                In progress, and cannot be cancelled
              </Text>
            )}
            {onSelectAll !== undefined && (
              <Button variant="subtle" size="xs" onClick={onSelectAll}>
                Select all
              </Button>
            )}
            <Button variant="subtle" size="xs" onClick={() => onDeselect(runs.map(({ run_id: id }) => id))}>
              Clear
            </Button>
          </Group>
        </section>
      )}
      {/* Apart from the selection: a run that is cancelled may leave a filtered list before the last one is. */}
      {acting?.is === 'cancel' && <CancelRuns playbook={playbook} {...acting} onClose={close} />}
      {acting?.is === 'again' && <RunAgain playbook={playbook} {...acting} onClose={close} />}
    </>
  );
}

interface ActProps {
  playbook: string;
  runs: readonly RunListEntry[];
  /** How many selected runs are left out. */
  others: number;
  onClose: (acted: readonly string[]) => void;
}

function CancelRuns({ playbook, runs, others, onClose }: ActProps) {
  const [reason, setReason] = useState('');
  return (
    <ActDialog
      playbook={playbook}
      runs={runs}
      title={`Cancel ${runsWords(runs.length)}`}
      done="cancelled"
      decline="Keep running"
      isDestructive
      act={({ run_id: id }) => cancelRun(playbook, id, reason)}
      onClose={onClose}
    >
      <Text size="sm">
        Cancels {countsByDefinition(runs)}, and the runs that {runs.length === 1 ? 'it is' : 'they are'} waiting for.
        {others > 0 && ` ${runsWords(others)} of the selection cannot be cancelled, and stay as they are.`}
      </Text>
      <TextInput
        label="Reason"
        description="Recorded in the history of each run."
        data-autofocus
        maxLength={1024}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
    </ActDialog>
  );
}

function RunAgain({ playbook, runs, others, onClose }: ActProps) {
  const client = useQueryClient();
  /** By the id of the first run. They stay the same when a request is repeated, so that each run starts only once. */
  const newRuns = useRef(new Map(runs.map(({ run_id: id }) => [id, crypto.randomUUID() as string])));
  return (
    <ActDialog
      playbook={playbook}
      runs={runs}
      title={runs.length === 1 ? 'Run again' : `Run ${runsWords(runs.length)} again`}
      done="started again"
      decline="Cancel"
      isDestructive={false}
      act={(run) => runAgain(client, playbook, run, newRuns.current.get(run.run_id) ?? '')}
      onClose={onClose}
    >
      <Text size="sm">
        {runs.length === 1
          ? `Starts a new run of the current version of ${runs[0]?.name} with the recorded input. It`
          : `Starts ${runs.length.toLocaleString()} new runs of the current versions with the recorded inputs: ${countsByDefinition(runs)}. They`}{' '}
        may call tools and models, and ask people.
        {others > 0 && ` ${runsWords(others)} of the selection are in progress, and stay as they are.`}
      </Text>
    </ActDialog>
  );
}
