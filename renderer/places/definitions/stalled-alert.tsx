import { Alert, Badge, Text } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import type { DefinitionKey } from '../../api/queries.ts';
import { AnchorLink } from '../../ui/links.tsx';
import { InlineCode } from '../../ui/inline-code.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import type { StalledView } from './stalled-views.ts';

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
          <AnchorLink
            underline="always"
            to="/playbooks/$playbook/events"
            params={{ playbook }}
            search={{ event: stalledBy.event_id }}
          >
            this event
          </AnchorLink>
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
  standing: StalledView['standing'];
}
