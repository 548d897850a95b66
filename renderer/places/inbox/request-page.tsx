import './inbox.css';
import { Alert, Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ArrowLeft, BellDot, MessageCircleQuestion } from 'lucide-react';
import { useEffect } from 'react';
import type { RunWithRecord } from '../../../shared/api/index.ts';
import { AnchorLink } from '../../ui/links.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { TypeIcon } from '../../ui/type-icon.tsx';
import { buildAsked, requestInput } from './build-asked.ts';
import { type OneRequest, requestQuery } from './request-query.ts';
import { Question } from './question.tsx';
import { RequestContext } from './request-context.tsx';
import { deliveryWords, requestStateOf, type Story } from './story.ts';
import { useNoticesRead } from './use-notices-read.ts';
import { InlineCode } from '../../ui/inline-code.tsx';

export function RequestPage() {
  const { playbook, runId } = useParams({ from: '/playbooks/$playbook/inbox/$runId' });
  const request = useQuery(requestQuery(playbook, runId));
  return (
    <div className="page">
      <div className="page-inner">
        <AnchorLink size="sm" mb={6} display="inline-block" to="/playbooks/$playbook/inbox" params={{ playbook }}>
          <ArrowLeft size={14} aria-hidden style={{ verticalAlign: -2 }} /> Inbox
        </AnchorLink>
        {request.error !== null && (
          <>
            <PageTitle title="Request" />
            <ProblemView error={request.error} />
          </>
        )}
        {request.isPending && <Skeleton height={300} />}
        {request.data !== undefined && <RequestView key={runId} playbook={playbook} request={request.data} />}
      </div>
    </div>
  );
}

function RequestView({ playbook, request: { run, started, story } }: { playbook: string; request: OneRequest }) {
  if (story === undefined) {
    return (
      <EmptyState
        isPage
        icon={MessageCircleQuestion}
        title="This run has no request"
        action={
          <Button
            renderRoot={(props) => (
              <Link {...props} to="/playbooks/$playbook/runs/$runId" params={{ playbook, runId: run.run_id }} />
            )}
          >
            Open the run
          </Button>
        }
      >
        Only interactions and prediction builds send requests to the inbox.
      </EmptyState>
    );
  }
  const input = requestInput(story.requested, started);
  const isNotice = requestStateOf(story, run.status) === 'notice';
  return (
    <>
      <PageTitle
        title={`${run.name} ${isNotice ? 'notifies' : 'asks'} ${String(story.requested.data['to'])}`}
        before={<TypeIcon type={run.type} size={22} />}
      />
      <div className="request-halves">
        <RequestContext playbook={playbook} run={run} input={input} story={story} />
        <div className="request-answer">
          {isNotice ? (
            <NoticeState playbook={playbook} run={run} story={story} />
          ) : (
            <Question playbook={playbook} run={run} story={story} build={buildAsked(playbook, input)} />
          )}
        </div>
      </div>
    </>
  );
}

/** A notice is marked as read when it is shown. */
function NoticeState({ playbook, run, story }: { playbook: string; run: RunWithRecord; story: Story }) {
  const { read } = useNoticesRead(playbook);
  const { at } = story.requested.metadata;
  useEffect(() => read({ runId: run.run_id, at }), [read, run.run_id, at]);
  return (
    <Alert color="blue" icon={<BellDot size={18} />} title="Notice">
      No answer is needed.{' '}
      <InlineCode>
        {run.status === 'started' ? `${deliveryWords(story, run.status)}.` : (run.detail ?? 'It was delivered.')}
      </InlineCode>
    </Alert>
  );
}
