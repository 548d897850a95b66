import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { MessageCircleReply } from 'lucide-react';
import { useMemo } from 'react';
import type { EventRecord } from '../../../shared/api/index.ts';
import { isRunEnding } from '../../../shared/run-status.ts';

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

/** The run and the runs it called that have open questions. @param events of its tree, oldest first */
export function openQuestions(events: readonly EventRecord[], runId: string): string[] {
  const below = new Set([runId]);
  const open = new Set<string>();
  for (const { type, data, metadata } of events) {
    const { run_id: run, called_by: caller } = metadata;
    if (run === undefined) continue;
    if (caller !== undefined && below.has(caller.run_id)) below.add(run);
    if (type === 'interaction_requested' && data['takes_answer'] === true) open.add(run);
    if (type === 'request_answered' || type === 'run_cancel_requested' || isRunEnding(type)) open.delete(run);
  }
  return [...open].filter((run) => below.has(run));
}
