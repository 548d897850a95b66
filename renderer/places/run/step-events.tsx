import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import dayjs from 'dayjs';
import { fullTime } from '../../ui/times.tsx';
import type { Span } from './spans.ts';

/** The events of a step, each with a link to it in the history of its run. */
export function StepEvents({ playbook, span }: { playbook: string; span: Span }) {
  if (span.events.length === 0) return null;
  return (
    <section aria-label="Events">
      <Text component="h3" fw={650} size="sm">
        Events
      </Text>
      <ol className="step-events">
        {span.events.map(({ id, type, metadata: { at, run_id: runId = '' } }) => (
          <li key={id}>
            <time dateTime={at} title={fullTime(at)} className="number">
              {dayjs(at).format('HH:mm:ss.SSS')}
            </time>
            <Anchor
              inherit
              ff="monospace"
              renderRoot={(props) => (
                <Link
                  {...props}
                  to="/playbooks/$playbook/runs/$runId"
                  params={{ playbook, runId }}
                  search={{ tab: 'history', event: id }}
                />
              )}
            >
              {type}
            </Anchor>
          </li>
        ))}
      </ol>
    </section>
  );
}
