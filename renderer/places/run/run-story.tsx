import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { RunWithRecord } from '../../../shared/api/index.ts';
import { explanationQuery } from '../../api/queries.ts';
import { AnchorLink } from '../../ui/links.tsx';
import { InlineCode } from '../../ui/inline-code.tsx';

const INDENT_PX = 18;
/** So many lines leave room for the timeline below them. */
const SHORT = 6;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** The lines say how long a step has been running or waiting: the older the run, the coarser its durations. */
function readAgainAfter(age: number): number {
  if (age < MINUTE) return SECOND;
  return age < 60 * MINUTE ? 10 * SECOND : MINUTE;
}

/**
 * What the run did, one line per step. Each line links to its event. All but the first lines are
 * shown on request. Absent if the page says as much without it.
 */
export function RunStory({
  playbook,
  run,
}: {
  playbook: string;
  run: Pick<RunWithRecord, 'run_id' | 'status' | 'started_at'>;
}) {
  const { run_id: runId } = run;
  const explanation = useQuery({
    ...explanationQuery(playbook, runId),
    refetchInterval: run.status === 'started' ? () => readAgainAfter(Date.now() - Date.parse(run.started_at)) : false,
  });
  const [isWhole, setWhole] = useState(false);
  const lines = explanation.data?.lines.slice(1) ?? [];
  if (lines.length === 0) return null;
  return (
    <section aria-labelledby="story" style={{ marginBottom: 16 }}>
      <Text id="story" component="h2" fw={650} size="sm" mb={6}>
        Summary
      </Text>
      <ol style={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {lines.slice(0, isWhole ? lines.length : SHORT).map(({ text, depth, event_id: event, run_id: called }) => (
          <li key={`${event} ${text}`} style={{ paddingInlineStart: INDENT_PX * (depth - 1) }}>
            <AnchorLink
              size="sm"
              c="inherit"
              style={{ overflowWrap: 'anywhere' }}
              to="/playbooks/$playbook/runs/$runId"
              params={{ playbook, runId: called ?? runId }}
              search={{ tab: 'history', event }}
            >
              <InlineCode>{text}</InlineCode>
            </AnchorLink>
          </li>
        ))}
      </ol>
      {lines.length > SHORT && (
        <Button
          size="compact-sm"
          variant="subtle"
          ml={-8}
          mt={4}
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? 'Show less' : `Show all ${lines.length} lines`}
        </Button>
      )}
    </section>
  );
}
