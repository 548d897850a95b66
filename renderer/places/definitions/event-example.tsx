import { Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Radio } from 'lucide-react';
import { isJsonObject, type Json } from '../../../shared/json.ts';
import { call } from '../../api/call.ts';
import { InlineCode } from '../../ui/inline-code.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { type EventInput, eventWords, listedOf, listedType, passes } from './event-input.ts';

/** Events among which the latest one is searched. */
const MOST_SEARCHED = 100;

const READ_WORDS: Readonly<Record<EventInput['read'], string>> = {
  data: 'the data of each event',
  envelope: 'each event as a whole',
  raw: 'the data of each event as text',
};

/** Says what the input of a workflow is that events start, and takes it from published events. */
export function EventExample({
  playbook,
  input,
  onUse,
}: {
  playbook: string;
  input: EventInput;
  onUse: (input: Json) => void;
}) {
  const finding = useMutation({
    mutationFn: () => latestList(playbook, input),
    onSuccess(list) {
      if (list !== undefined) onUse(list);
    },
  });
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        <InlineCode>{`Events of ${eventWords(input)} start this workflow. Its input is a list with ${READ_WORDS[input.read]}, also for a single event.`}</InlineCode>
      </Text>
      <Group gap="xs" mb="sm">
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<Radio size={14} aria-hidden />}
          loading={finding.isPending}
          onClick={() => finding.mutate()}
        >
          {input.items.length === 1 ? 'Use the latest event' : 'Use the latest events'}
        </Button>
        {finding.isSuccess && finding.data === undefined && (
          <Text size="sm" c="dimmed" role="status">
            No such event is among the latest ones.
          </Text>
        )}
      </Group>
      {finding.error !== null && <ProblemView error={finding.error} />}
    </>
  );
}

/** The input that the latest events would start a run with; undefined if one is missing. */
async function latestList(playbook: string, { items, read }: EventInput): Promise<Json[] | undefined> {
  const ids = await Promise.all(
    items.map(async (filters) => {
      const type = listedType(filters);
      const { events } = await call('list_playbook_events', { playbook, type, limit: MOST_SEARCHED });
      return events.find(({ data }) => passes(data['event'] as Json, filters))?.id;
    }),
  );
  const found = ids.filter((id) => id !== undefined);
  if (found.length < items.length) return undefined;
  // Lists show large values only as their size.
  const whole = await Promise.all(found.map((id) => call('get_event', { playbook, event_id: id })));
  return whole.map(({ data: { event, data } }) => {
    const attributes = isJsonObject(event) ? event : {};
    return listedOf(data === undefined ? attributes : { ...attributes, data }, read);
  });
}
