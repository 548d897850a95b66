import './inbox.css';
import { Group, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { useChangeSearch } from '../../ui/search-params.ts';
import { CopyAs } from '../../ui/copy-as.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { AnsweredList } from './answered-list.tsx';
import { waitingQuery } from './open-requests-query.ts';
import { listCopies } from './list-copies.ts';
import { useMe } from './parties.ts';
import { NoticesList } from './notices-list.tsx';
import { NotifyButton } from './notify-button.tsx';
import { OpenList } from './open-list.tsx';
import { partiesOf } from './parties.ts';
import { UnansweredList } from './unanswered-list.tsx';
import { WhoAmI } from './who-am-i.tsx';

const LISTS = [
  { value: 'open', label: 'Open' },
  { value: 'answered', label: 'Answered' },
  { value: 'unanswered', label: 'Unanswered' },
  { value: 'notices', label: 'Notices' },
];
const PARTIES = [
  { value: 'me', label: 'For me' },
  { value: 'all', label: 'For everyone' },
];

export function InboxPage() {
  const { playbook } = useParams({ from: '/playbooks/$playbook/inbox' });
  const search = useSearch({ from: '/playbooks/$playbook/inbox' });
  const [me] = useMe();
  const parties = partiesOf(search.party, me);
  // The list of other parties was not kept up to date while it was hidden, so it is read again.
  const whose = parties.join('\n');
  const everyone = useQuery(waitingQuery(playbook, []));
  const known = [...new Set(everyone.data?.requests.map(({ to }) => to))].toSorted();
  const shown = useQuery(waitingQuery(playbook, parties));

  const change = useChangeSearch(search);

  return (
    <div className="filled-page">
      <PageTitle title="Inbox" about="Questions waiting for a person, and notices.">
        <CopyAs copies={listCopies(playbook, search.show, parties, shown.data?.requests)} />
        <NotifyButton />
        <WhoAmI known={known} />
      </PageTitle>
      <Group gap="sm" mb="sm">
        <SegmentedControl
          aria-label="Requests"
          data={LISTS}
          value={search.show ?? 'open'}
          onChange={(value) => change({ show: value === 'open' ? undefined : (value as typeof search.show) })}
        />
        {me.length > 0 && (
          <SegmentedControl
            aria-label="Addressed to"
            data={PARTIES}
            value={search.party ?? 'me'}
            onChange={(value) => change({ party: value as typeof search.party })}
          />
        )}
      </Group>
      {search.show === undefined && <OpenList key={whose} playbook={playbook} parties={parties} />}
      {search.show === 'answered' && <AnsweredList key={whose} playbook={playbook} parties={parties} />}
      {search.show === 'unanswered' && <UnansweredList key={whose} playbook={playbook} parties={parties} />}
      {search.show === 'notices' && <NoticesList key={whose} playbook={playbook} parties={parties} />}
    </div>
  );
}
