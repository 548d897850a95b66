import { Anchor, Group, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Moment } from '../../ui/moment.tsx';
import { TypeIcon } from '../../ui/type-icon.tsx';
import { waitingQuery } from '../inbox/inbox-queries.ts';
import { useMe } from '../inbox/me.ts';
import { firstLine } from '../inbox/message-words.ts';

const SHORT = 4;

/** The newest questions that wait for me; for anybody while I did not say who I am. */
export function ShortWaiting({ playbook }: { playbook: string }) {
  const [me] = useMe();
  const { data } = useQuery(waitingQuery(playbook, me));
  const title = me.length === 0 ? 'Waiting for an answer' : 'Waiting for me';
  return (
    <section className="card" aria-label={title}>
      <Group justify="space-between" mb={6}>
        <Text fw={650} component="h2">
          {title}
        </Text>
        <Anchor
          size="sm"
          renderRoot={(props) => <Link {...props} to="/playbooks/$playbook/inbox" params={{ playbook }} />}
        >
          Inbox
        </Anchor>
      </Group>
      {data === undefined && <Skeleton height={40} />}
      {data?.requests.length === 0 && (
        <Text size="sm" c="dimmed">
          No question is open.
        </Text>
      )}
      {data?.requests.slice(0, SHORT).map((request) => (
        <Link
          key={request.run_id}
          to="/playbooks/$playbook/inbox/$runId"
          params={{ playbook, runId: request.run_id }}
          className="short-run plain"
        >
          <Group gap={8} wrap="nowrap" style={{ minWidth: 0, flex: 1 }}>
            <TypeIcon type={request.type} />
            <Text size="sm" truncate>
              {firstLine(request.message) ?? request.function}
            </Text>
          </Group>
          <Text size="sm" c="dimmed" component="span" truncate maw="30%">
            {request.to}
          </Text>
          <Text size="xs" c="dimmed" w={104} ta="end" component="span">
            <Moment at={request.requested_at} />
          </Text>
        </Link>
      ))}
    </section>
  );
}
