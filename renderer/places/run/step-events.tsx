import { Text } from '@mantine/core';
import dayjs from 'dayjs';
import { AnchorLink } from '../../ui/links.tsx';
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
            <AnchorLink
              ff="monospace"
              to="/playbooks/$playbook/runs/$runId"
              params={{ playbook, runId }}
              search={{ tab: 'history', event: id }}
            >
              {type}
            </AnchorLink>
          </li>
        ))}
      </ol>
    </section>
  );
}
