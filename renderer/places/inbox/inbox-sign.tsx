import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { BellDot, Inbox } from 'lucide-react';
import { useMemo } from 'react';
import { usePaletteGroup } from '../../ui/palette-groups.ts';
import { newNoticesQuery } from './notices-query.ts';
import { waitingQuery } from './open-requests-query.ts';
import { useMe } from './parties.ts';
import { firstLine } from './first-line.ts';
import { useRequestNotifications } from './notifying.ts';
import { isRead } from './read-marks.ts';
import { useNoticesRead } from './use-notices-read.ts';
import { usePatchedRequests } from './use-patched-requests.ts';

/** How many entries the command palette lists. */
const MOST = 20;

/**
 * The numbers of open questions and unread notices in the navigation. It is on every page, so it also registers what
 * must work everywhere: notifications and palette entries.
 */
export function InboxSign({ playbook }: { playbook: string }) {
  const [me] = useMe();
  const { data } = useQuery(waitingQuery(playbook, me));
  const { data: page } = useQuery(newNoticesQuery(playbook, me));
  const { marks } = useNoticesRead(playbook);
  const navigate = useNavigate();
  useRequestNotifications(playbook, me);
  usePatchedRequests(playbook);
  usePaletteGroup(
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
            description: 'Messages that need no answer',
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
  const unread = page?.notices.filter((notice) => !isRead(marks, notice)).length ?? 0;
  if (count === 0 && unread === 0) return null;
  return (
    <span className="inbox-sign">
      {unread > 0 && (
        <span className="chip number">
          <BellDot size={12} aria-hidden />
          {/* If all notices that were read are unread, there may be more. */}
          {` ${unread}${page?.hasMore === true && unread === page.notices.length ? '+' : ''}`}
          <span className="visually-hidden"> unread</span>
        </span>
      )}
      {count > 0 && (
        <span className="chip number">
          {`${count}${data?.hasMore === true ? '+' : ''}`}
          <span className="visually-hidden"> waiting</span>
        </span>
      )}
    </span>
  );
}
