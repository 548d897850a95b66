import { Group, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { RunWithRecord } from '../../../shared/api/index.ts';
import { runQuery } from '../../api/queries.ts';
import { AnchorLink } from '../../ui/links.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { Status } from '../../ui/status.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { useKeptFocus } from '../../ui/use-kept-focus.ts';
import { CancelRun } from '../run/cancel-run.tsx';
import { type BuildStory, buildStage, buildStory } from './build-story.ts';
import { buildEventsQuery, type Standing, trainCommand } from './queries.ts';
import { figureWords, ScoreTable } from './score-table.tsx';
import { InlineCode } from '../../ui/inline-code.tsx';

export interface BuildProps {
  playbook: string;
  runId: string;
  /** Whether its scores are shown at first. */
  isOpen: boolean;
  /** The version of the function that waits to be activated. */
  pending: Standing['pending'] | undefined;
}

/** A build: its stage, and the scores of its candidates beside those of the baselines. */
export function Build({ playbook, runId, isOpen, pending }: BuildProps) {
  const run = useQuery(runQuery(playbook, runId));
  const events = useQuery(buildEventsQuery(playbook, runId));
  const title = useRef<HTMLHeadingElement>(null);
  // With the end of the build, its button to cancel it is gone.
  useKeptFocus(run.data?.status, () => title.current);
  const error = run.error ?? events.error;
  if (error !== null) return <ProblemView error={error} />;
  if (run.data === undefined || events.data === undefined) return <Skeleton height={70} />;
  const story = buildStory(events.data);
  return (
    <section className="card build" aria-label={`Build ${runId.slice(0, 8)}`}>
      <div className="build-head">
        <Text component="h3" ref={title} tabIndex={-1} size="sm" fw={600}>
          <span role="status">{buildStage(run.data, story, pending)}</span>
        </Text>
        <Group gap="sm">
          <Text size="sm" component="span">
            <Status run={run.data} />
          </Text>
          <Text size="sm" c="dimmed">
            <RelativeTime at={run.data.started_at} />
          </Text>
          <AnchorLink size="sm" to="/playbooks/$playbook/runs/$runId" params={{ playbook, runId }}>
            Run {runId.slice(0, 8)}
          </AnchorLink>
          {run.data.status === 'started' && <CancelRun playbook={playbook} runId={runId} />}
        </Group>
      </div>
      <BuildWords playbook={playbook} run={run.data} story={story} />
      {story.models.length > 0 && (
        <details open={isOpen}>
          <summary>Scores on the windows that select</summary>
          <ScoreTable models={story.models} />
        </details>
      )}
    </section>
  );
}

function BuildWords({ playbook, run, story }: { playbook: string; run: RunWithRecord; story: BuildStory }) {
  const { run_id: runId } = run;
  if (run.status === 'started') {
    if (run.waits_for?.includes('upload') !== true) return null;
    return (
      <Text size="sm" mt={4}>
        {story.candidates.length === 1 ? '1 candidate' : `${story.candidates.length} candidates`} uploaded.{' '}
        {run.waits_for.includes('answer') && (
          <>
            <AnchorLink underline="always" to="/playbooks/$playbook/inbox/$runId" params={{ playbook, runId }}>
              Upload models and answer
            </AnchorLink>
            , or train simple models with <code>{trainCommand(playbook)}</code>.
          </>
        )}
      </Text>
    );
  }
  const { gate, shadow } = story;
  const detail = story.isActivated ? undefined : (story.detail ?? run.detail);
  return (
    <>
      {detail !== undefined && (
        <Text size="sm" mt={4}>
          <InlineCode>{detail}</InlineCode>
        </Text>
      )}
      {gate !== undefined && !story.isActivated && (
        <Text size="sm" c="dimmed" mt={4} className="number">
          On the judge windows: score {figureWords(gate.score)}, best baseline {figureWords(gate.bar)},
          {gate.active_score == null ? '' : ` active version ${figureWords(gate.active_score)},`} wins{' '}
          {figureWords(gate.wins, true)}, coverage {figureWords(gate.coverage, true)}.
        </Text>
      )}
      {shadow !== undefined && (
        <Text size="sm" c="dimmed" mt={4} className="number">
          In the shadow evaluation, over {shadow.periods === 1 ? '1 period' : `${shadow.periods} periods`}: score{' '}
          {figureWords(shadow.score)}, active version {figureWords(shadow.active_score)}.
        </Text>
      )}
    </>
  );
}
