import { Anchor, List, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { RunListEntry } from '../../../../shared/api/index.ts';
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

function RunLink({ playbook, runId, children }: { playbook: string; runId: string; children: ReactNode }) {
  return (
    <Anchor
      inherit
      renderRoot={(props) => <Link {...props} to="/playbooks/$playbook/runs/$runId" params={{ playbook, runId }} />}
    >
      {children}
    </Anchor>
  );
}
