// Views that stalled: runs of their function are refused until a new version is saved. No event says so; the standing does.
import { Alert, Anchor, Badge, Text } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleAlert } from 'lucide-react';
import { useMemo } from 'react';
import { DEFINITION_FACTS, type DefinitionType } from '../../../shared/definition-types.ts';
import type { Definition } from '../../../shared/api/index.ts';
import { type DefinitionKey, definitionQuery, definitionsQuery } from '../../api/queries.ts';
import { InlineCode } from '../../ui/inline-code.tsx';
import { RelativeTime } from '../../ui/times.tsx';

/** How often the standing of a view is read, in milliseconds. */
const READ_EVERY = 20_000;

type ViewStanding = Extract<Definition['standing'], { state: string }>;

export interface StalledView {
  type: DefinitionType;
  name: string;
  standing: ViewStanding;
}

/** The stalled views of a playbook. */
export function useStalledViews(playbook: string): readonly StalledView[] {
  const definitions = useQuery(definitionsQuery(playbook));
  const keeping = (definitions.data ?? []).filter(
    ({ type, status }) => DEFINITION_FACTS[type].keepsView === true && status === 'active',
  );
  const read = useQueries({
    queries: keeping.map(({ type, name }) => ({
      ...definitionQuery({ playbook, type, name }),
      refetchInterval: READ_EVERY,
    })),
  });
  const found = read.flatMap(({ data }) => {
    const standing = data && stalledStanding(data);
    return data === undefined || standing === undefined ? [] : [{ type: data.type, name: data.name, standing }];
  });
  const key = JSON.stringify(found);
  return useMemo(() => JSON.parse(key) as StalledView[], [key]);
}

/** The standing of a definition whose view stalled. */
export function stalledStanding({ type, status, standing }: Definition): ViewStanding | undefined {
  if (DEFINITION_FACTS[type].keepsView !== true || status !== 'active' || standing === undefined) return undefined;
  return 'state' in standing && standing.state === 'stalled' ? standing : undefined;
}

export function StalledBadge() {
  return (
    <Badge color="red" tt="none" leftSection={<CircleAlert size={12} aria-hidden />}>
      View stalled
    </Badge>
  );
}

/** At which event the view stalled, why, and what to do. */
export function StalledAlert({ definitionKey: { playbook }, standing }: StalledAlertProps) {
  const { stalled_by: stalledBy } = standing;
  return (
    <Alert color="red" icon={<CircleAlert size={18} aria-hidden />} title="View stalled" mb="md">
      {stalledBy !== undefined && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <InlineCode>{stalledBy.detail}</InlineCode> At{' '}
          <Anchor
            inherit
            underline="always"
            renderRoot={(props) => (
              <Link
                {...props}
                to="/playbooks/$playbook/events"
                params={{ playbook }}
                search={{ event: stalledBy.event_id }}
              />
            )}
          >
            the event {stalledBy.type}
          </Anchor>
          , recorded <RelativeTime at={stalledBy.at} />.
        </Text>
      )}
      <Text size="sm">
        Runs are refused until the view works again. Change <code>evolve</code> so that it accepts the event, and save:
        the new version reads all events again.
      </Text>
    </Alert>
  );
}

interface StalledAlertProps {
  definitionKey: Pick<DefinitionKey, 'playbook'>;
  standing: ViewStanding;
}
