import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleAlert } from 'lucide-react';
import { InlineCode } from '../../ui/inline-code.tsx';
import { stalledViewsQuery } from '../definitions/stalled-views.ts';
import { ShortList, ShortName } from '../../ui/short-list.tsx';

/** The stalled views of a playbook; nothing if there are none. */
export function ShortStalled({ playbook }: { playbook: string }) {
  const { data: stalled = [] } = useQuery(stalledViewsQuery(playbook));
  if (stalled.length === 0) return null;
  return (
    <div className="home-whole">
      <ShortList title="Stalled views" all={null} items={stalled} height={90} nothing="">
        {({ type, name, standing }) => (
          <Link
            key={`${type}/${name}`}
            to="/playbooks/$playbook/definitions/$type/$name"
            params={{ playbook, type, name }}
            className="short-run plain"
          >
            <ShortName type={type}>{name}</ShortName>
            <Text size="sm" component="span" c="red" truncate>
              <CircleAlert size={14} aria-hidden style={{ verticalAlign: -2 }} />{' '}
              <InlineCode>{standing.stalled_by?.detail ?? 'View stalled'}</InlineCode>
            </Text>
          </Link>
        )}
      </ShortList>
    </div>
  );
}
