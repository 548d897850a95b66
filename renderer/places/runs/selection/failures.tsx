import { List, Text } from '@mantine/core';
import type { RunListEntry } from '../../../../shared/api/index.ts';
import { RunLink } from '../../../ui/run-link.tsx';
import type { ActResult } from './act-on-runs.ts';

export interface FailuresProps {
  playbook: string;
  runs: readonly RunListEntry[];
  results: ReadonlyMap<string, ActResult>;
}

/** The runs for which it failed, each with the reason. */
export function Failures({ playbook, runs, results }: FailuresProps) {
  const failed = runs.flatMap((run) => {
    const result = results.get(run.run_id);
    return result?.is === 'failed' ? [{ run, ...result }] : [];
  });
  if (failed.length === 0) return null;
  return (
    <List size="sm" spacing={6} aria-label="Failed" mah={260} style={{ overflowY: 'auto' }} tabIndex={0}>
      {failed.map(({ run, reason, newRun }) => (
        <List.Item key={run.run_id}>
          <RunLink playbook={playbook} runId={run.run_id}>
            {run.name} {run.run_id.slice(0, 8)}
          </RunLink>
          <Text size="sm">
            {reason}
            {newRun !== undefined && (
              <>
                {' '}
                See{' '}
                <RunLink playbook={playbook} runId={newRun}>
                  the new run {newRun.slice(0, 8)}
                </RunLink>
                .
              </>
            )}
          </Text>
        </List.Item>
      ))}
    </List>
  );
}
