import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { AnchorLink } from '../../ui/links.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { waitingQuery } from '../inbox/open-requests-query.ts';
import { useMe } from '../inbox/parties.ts';
import { firstLine } from '../inbox/first-line.ts';
import { ShortList, ShortName } from '../../ui/short-list.tsx';

const SHORT = 4;

/** The newest questions for my parties, or for everyone if I chose none. */
export function ShortWaiting({ playbook }: { playbook: string }) {
  const [me] = useMe();
  const { data } = useQuery(waitingQuery(playbook, me));
  const all = (
    <AnchorLink size="sm" to="/playbooks/$playbook/inbox" params={{ playbook }}>
      Inbox
    </AnchorLink>
  );
  return (
    <ShortList
      title={me.length === 0 ? 'Waiting for an answer' : 'Waiting for me'}
      all={all}
      items={data?.requests.slice(0, SHORT)}
      height={40}
      nothing="No open questions."
    >
      {(request) => (
        <Link
          key={request.run_id}
          to="/playbooks/$playbook/inbox/$runId"
          params={{ playbook, runId: request.run_id }}
          className="short-run plain"
        >
          <ShortName type={request.type}>{firstLine(request.message) ?? request.function}</ShortName>
          <Text size="sm" c="dimmed" component="span" truncate className="short-aside">
            {request.to}
          </Text>
          <Text size="xs" c="dimmed" className="short-time" component="span">
            <RelativeTime at={request.requested_at} />
          </Text>
        </Link>
      )}
    </ShortList>
  );
}
