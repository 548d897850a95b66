import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { CircleCheck, CircleMinus, CircleX, ClockAlert, type LucideIcon } from 'lucide-react';
import type { Json } from '../../../shared/json.ts';
import type { RunWithRecord } from '../../../shared/api/index.ts';
import { JsonView } from '../../ui/json/json-view.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { GivenData } from './given-data.tsx';
import type { RequestState, Story } from './story.ts';
import { InlineCode } from '../../ui/inline-code.tsx';

export interface RequestEndingProps {
  run: RunWithRecord;
  story: Story;
  state: Exclude<RequestState, 'open' | 'notice'>;
  /** Whether the answer was just given on this page. */
  isMine: boolean;
  /** The unsent draft. */
  draft: Json | undefined;
  onDrop: () => void;
}

/** Why a request no longer accepts answers, its answer if there is one, and the person's unsent draft. */
export function RequestEnding({ run, story, state, isMine, draft, onDrop }: RequestEndingProps) {
  const { icon: Icon, colour, title, detail } = endingOf(run, story, state);
  const isLost = draft !== undefined && !isMine;
  return (
    <Stack gap="md">
      <Alert
        color={colour}
        icon={<Icon size={18} />}
        title={isLost && state === 'answered' ? 'Someone else answered first' : title}
        role="status"
      >
        {story.answered === undefined ? <InlineCode>{detail ?? ''}</InlineCode> : <AnsweredBy story={story} />}
        {isLost && (
          <Text size="sm" mt={6}>
            {state === 'answered' && 'Your answer was not recorded because a request accepts only one. '}Your draft is
            kept below.
          </Text>
        )}
      </Alert>
      {story.answered !== undefined && (
        <section aria-labelledby="answer">
          <Text id="answer" component="h2" fw={650} size="sm" mb={6}>
            The answer
          </Text>
          <GivenData value={story.answered.data['answer']} label="The answer" />
        </section>
      )}
      {isLost && (
        <section aria-labelledby="draft">
          <Group justify="space-between" mb={6}>
            <Text id="draft" component="h2" fw={650} size="sm">
              Your draft
            </Text>
            <Button variant="default" size="compact-xs" onClick={onDrop}>
              Discard draft
            </Button>
          </Group>
          <JsonView value={draft} label="Your draft" />
        </section>
      )}
    </Stack>
  );
}

function AnsweredBy({ story }: { story: Story }) {
  const { answered_by: by, claimed_for: claimedFor, reply, answered_at: at } = story.answered?.data ?? {};
  return (
    <Text size="sm">
      By {reply === undefined ? String(by) : `a reply (${JSON.stringify(reply)})`}
      {claimedFor === undefined ? '' : `, for ${String(claimedFor)}`}, <RelativeTime at={String(at)} />.
    </Text>
  );
}

interface Words {
  icon: LucideIcon;
  colour: string;
  title: string;
  detail?: string | undefined;
}

function endingOf(run: RunWithRecord, story: Story, state: RequestEndingProps['state']): Words {
  if (state === 'answered') return { icon: CircleCheck, colour: 'teal', title: 'Answered' };
  if (state === 'cancelling') {
    const reason = story.cancelled?.data['reason'];
    const detail = typeof reason === 'string' ? reason : 'It no longer accepts answers.';
    return { icon: CircleMinus, colour: 'yellow', title: 'The run is being cancelled', detail };
  }
  if (run.kind === 'expired')
    return { icon: ClockAlert, colour: 'yellow', title: 'No one answered in time', detail: run.detail };
  if (run.reason === 'cancelled') {
    const title = CANCELLED[run.kind ?? ''] ?? 'The run was cancelled';
    return { icon: CircleMinus, colour: 'yellow', title, detail: run.detail };
  }
  return { icon: CircleX, colour: 'red', title: 'The request failed', detail: run.detail };
}

const CANCELLED: Readonly<Record<string, string>> = {
  requested: 'The run was cancelled',
  deadline: 'The calling workflow timed out',
  overrun: 'The calling workflow ran too long',
  parent_ended: 'The calling workflow ended',
};
