import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { MessageCircleReply } from 'lucide-react';
import { useMemo } from 'react';
import type { EventRecord } from '../../../shared/api/index.ts';
import { openQuestions } from './open-questions.ts';

/** Links from a waiting run to its open questions. */
export function AnswerLink({
  playbook,
  runId,
  events,
}: {
  playbook: string;
  runId: string;
  events: readonly EventRecord[] | undefined;
}) {
  const [first, ...more] = useMemo(() => openQuestions(events ?? [], runId), [events, runId]);
  if (first === undefined) return null;
  return (
    <Button
      size="xs"
      leftSection={<MessageCircleReply size={14} aria-hidden />}
      renderRoot={(props) =>
        more.length === 0 ? (
          <Link {...props} to="/playbooks/$playbook/inbox/$runId" params={{ playbook, runId: first }} />
        ) : (
          <Link {...props} to="/playbooks/$playbook/inbox" params={{ playbook }} search={{ party: 'all' }} />
        )
      }
    >
      {more.length === 0 ? 'Answer' : `Answer ${more.length + 1} questions`}
    </Button>
  );
}
