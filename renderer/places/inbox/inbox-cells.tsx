import { Text } from '@mantine/core';
import { BellDot } from 'lucide-react';
import type { ReactNode } from 'react';
import type { InteractionRequest } from '../../../shared/api/index.ts';
import { RelativeTime } from '../../ui/times.tsx';
import { RowLink } from '../../ui/list-row.tsx';
import { Status } from '../../ui/status.tsx';
import type { RequestEvent } from './past-requests-query.ts';
import type { UnansweredRequest } from './past-requests-query.ts';
import { firstLine } from './first-line.ts';
import { TimeLeft } from './time-left.tsx';
import { InlineCode } from '../../ui/inline-code.tsx';

export function openCells(playbook: string, request: InteractionRequest): ReactNode[] {
  return [
    <Request
      key="request"
      playbook={playbook}
      runId={request.run_id}
      message={request.message}
      of={request.function}
    />,
    request.to,
    <RelativeTime key="asked" at={request.requested_at} />,
    request.standing === 'cancelling' ? 'Cancelling' : <TimeLeft key="left" until={request.expires_at} />,
  ];
}

export function answeredCells(playbook: string, { event, to, message }: RequestEvent): ReactNode[] {
  const { data, metadata } = event;
  const { answer, answer_bytes: bytes, answered_by: by, claimed_for: claimedFor } = data;
  return [
    <Request
      key="request"
      playbook={playbook}
      runId={metadata.run_id ?? ''}
      message={message}
      of={metadata.definition?.name}
    />,
    to ?? '–',
    <code key="answer">
      {answer === undefined ? `${Number(bytes).toLocaleString()} bytes` : JSON.stringify(answer)}
    </code>,
    <div key="by" className="cell">
      {String(by)}
      {claimedFor !== undefined && (
        <Text size="xs" c="dimmed" truncate>
          for {String(claimedFor)}
        </Text>
      )}
    </div>,
    <RelativeTime key="answered" at={metadata.at} />,
  ];
}

export function unansweredCells(playbook: string, { run, to, message }: UnansweredRequest): ReactNode[] {
  return [
    <Request key="request" playbook={playbook} runId={run.run_id} message={message} of={run.name} />,
    to ?? '–',
    <div key="why" className="cell">
      <Status run={run} />
      <Text size="xs" c="dimmed" truncate>
        {run.detail !== undefined && <InlineCode>{run.detail}</InlineCode>}
      </Text>
    </div>,
    run.ended_at === undefined ? '–' : <RelativeTime key="ended" at={run.ended_at} />,
  ];
}

export function noticeCells(playbook: string, { event, to, message }: RequestEvent, isRead: boolean): ReactNode[] {
  const { metadata } = event;
  return [
    <Request
      key="notice"
      playbook={playbook}
      runId={metadata.run_id ?? ''}
      message={message}
      of={metadata.definition?.name}
      isUnread={!isRead}
    />,
    to ?? '–',
    <RelativeTime key="told" at={metadata.at} />,
  ];
}

interface RequestProps {
  playbook: string;
  runId: string;
  message: string | undefined;
  of: string | undefined;
  isUnread?: boolean;
}

function Request({ playbook, runId, message, of, isUnread = false }: RequestProps) {
  return (
    <div className="inbox-request">
      {isUnread && (
        <BellDot size={16} role="img" aria-label="Unread" style={{ color: 'var(--cue-busy)', flexShrink: 0 }} />
      )}
      <div className="cell">
        <RowLink
          to="/playbooks/$playbook/inbox/$runId"
          params={{ playbook, runId }}
          style={{ fontWeight: isUnread ? 650 : 500 }}
        >
          {firstLine(message) ?? of ?? runId}
        </RowLink>
        <Text size="xs" c="dimmed" truncate>
          {of}
        </Text>
      </div>
    </div>
  );
}
