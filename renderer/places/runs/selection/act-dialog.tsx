import { Button, Group, Modal, Progress, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type ReactNode, useEffect, useRef } from 'react';
import type { RunListEntry } from '../../../../shared/api/index.ts';
import { Failures } from './failures.tsx';
import { runsWords } from './words.ts';
import { useActing } from './use-acting.ts';

export interface ActDialogProps {
  playbook: string;
  /** The runs to act on, as they were when the dialog was opened. */
  runs: readonly RunListEntry[];
  title: string;
  /** What is done, as in "3 runs cancelled". */
  done: string;
  /** The button that declines. */
  decline: string;
  isDestructive: boolean;
  act: (run: RunListEntry) => Promise<void>;
  /** @param acted the ids of the runs for which it succeeded */
  onClose: (acted: readonly string[]) => void;
  /** What is asked before. */
  children: ReactNode;
}

/** Asks, then acts on each run and shows the progress. Stays open if it failed for any run, and says why. */
export function ActDialog(props: ActDialogProps) {
  const { playbook, runs, title, done, decline, isDestructive, act, onClose, children } = props;
  const acting = useActing(runs, act, (results) => {
    const acted = [...results].flatMap(([id, { is }]) => (is === 'done' ? [id] : []));
    if (acted.length < runs.length) return;
    notifications.show({ message: `${runsWords(runs.length)} ${done}` });
    onClose(acted);
  });
  const { results, isWorking, remaining } = acting;
  const acted = runs.filter(({ run_id: id }) => results.get(id)?.is === 'done');
  /** These were done too: the new run started, and failed. */
  const startedOnly = runs.filter(({ run_id: id }) => {
    const result = results.get(id);
    return result?.is === 'failed' && result.newRun !== undefined;
  });
  const hasFailed = remaining.some(({ run_id: id }) => results.has(id));
  const isAsking = results.size === 0 && !isWorking;
  const close = (): void => {
    if (!isWorking) onClose(acted.map(({ run_id: id }) => id));
  };
  // The button that was pressed is gone: the next one takes the focus.
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isAsking) button.current?.focus();
  }, [isAsking, isWorking]);

  return (
    <Modal opened onClose={close} title={title} withCloseButton={!isWorking} centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          acting.start();
        }}
      >
        <Stack>
          {isAsking && children}
          {!isAsking && (
            <>
              <Text size="sm" role="status">
                {isWorking
                  ? `${results.size} of ${runsWords(runs.length)}`
                  : `${acted.length + startedOnly.length} of ${runsWords(runs.length)} ${done}${
                      startedOnly.length === 0 ? '' : `; ${startedOnly.length} did not succeed`
                    }.`}
              </Text>
              {isWorking && <Progress value={(100 * results.size) / runs.length} aria-label={title} />}
              <Failures playbook={playbook} runs={runs} results={results} />
            </>
          )}
          <Group justify="flex-end">
            {isAsking && (
              <Button variant="default" onClick={close}>
                {decline}
              </Button>
            )}
            {isWorking && (
              <Button ref={button} variant="default" onClick={acting.stop}>
                Stop
              </Button>
            )}
            {!isAsking && !isWorking && (
              <Button ref={button} variant="default" onClick={close}>
                Close
              </Button>
            )}
            {!isWorking && remaining.length > 0 && (
              <Button type="submit" {...(isDestructive ? { color: 'red' } : {})}>
                {isAsking ? title : `${hasFailed ? 'Try again' : 'Continue'} (${remaining.length})`}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
