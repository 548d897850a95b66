import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { BellDot, Inbox } from 'lucide-react';
import { useMemo } from 'react';
import { useInPalette } from '../../app/palette-groups.ts';
import { waitingQuery } from './inbox-queries.ts';
import { useMe } from './me.ts';
import { firstLine } from './message-words.ts';
import { useRequestNotifications } from './notifying.ts';
import { usePatchedRequests } from './use-patched-requests.ts';

/** Entries of the palette. */
const MOST = 20;

/** How many questions wait, in the navigation. It stands on every place: what is to happen everywhere hangs on it. */
export function InboxSign({ playbook }: { playbook: string }) {
  const [me] = useMe();
  const { data } = useQuery(waitingQuery(playbook, me));
  const navigate = useNavigate();
  useRequestNotifications(playbook, me);
  usePatchedRequests(playbook);
  useInPalette(
    useMemo(
      () => ({
        group: 'Inbox',
        actions: [
          ...(data?.requests ?? []).slice(0, MOST).map(({ run_id: runId, message, function: name, to }) => ({
            id: `request ${runId}`,
            label: `Answer: ${firstLine(message) ?? name}`,
            description: `${name} asks ${to}`,
            leftSection: <Inbox size={18} aria-hidden />,
            onClick: () => void navigate({ to: '/playbooks/$playbook/inbox/$runId', params: { playbook, runId } }),
          })),
          {
            id: 'notices',
            label: 'Notices',
            description: 'What was told and takes no answer',
            leftSection: <BellDot size={18} aria-hidden />,
            onClick: () =>
              void navigate({ to: '/playbooks/$playbook/inbox', params: { playbook }, search: { show: 'notices' } }),
          },
        ],
      }),
      [data, navigate, playbook],
    ),
  );
  const count = data?.requests.length ?? 0;
  if (count === 0) return null;
  const words = `${count}${data?.hasMore === true ? '+' : ''}`;
  return (
    <span className="chip number" style={{ marginLeft: 'auto', padding: '0 8px', fontSize: 12 }}>
      {words}
      <span className="aside"> waiting</span>
    </span>
  );
}
