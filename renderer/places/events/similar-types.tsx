import { Button, Group } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { RESERVED_EVENT_TYPES } from '../../../shared/schemas/events/reserved-types.ts';
import { eventsQuery } from '../../api/queries.ts';
import { InlineCode } from '../../ui/inline-code.tsx';
import { shownType } from './event-cells.tsx';

const MOST = 6;

/** No event has the type: it may be a part of the one that was meant. */
export function SimilarTypes({
  playbook,
  type,
  onChoose,
}: {
  playbook: string;
  type: string;
  onChoose: (type: string) => void;
}) {
  const newest = useInfiniteQuery(eventsQuery(playbook, {}));
  const own = newest.data?.pages.flatMap((page) => page.events.map(shownType)) ?? [];
  const similar = similarTypes(type, [...own, ...RESERVED_EVENT_TYPES]);
  return (
    <>
      <InlineCode>{`Events are filtered by their whole type, and none has the type \`${type}\`.`}</InlineCode>{' '}
      {similar.length === 0 ? 'Remove the filter to see more.' : 'Similar types:'}
      <Group component="span" gap="xs" justify="center" mt="xs">
        {similar.map((one) => (
          <Button key={one} size="compact-sm" variant="default" onClick={() => onChoose(one)}>
            {one}
          </Button>
        ))}
      </Group>
    </>
  );
}

/** The types that contain the text, whatever its case. */
function similarTypes(text: string, types: readonly string[]): string[] {
  const part = text.toLowerCase();
  return [...new Set(types)].filter((type) => type !== text && type.toLowerCase().includes(part)).slice(0, MOST);
}
