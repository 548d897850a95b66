import { Group, Skeleton, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { RotateCcw, SearchX } from 'lucide-react';
import { DEFINITION_FACTS } from '../../../shared/definition-types.ts';
import type { RunWithRecord } from '../../../shared/api/index.ts';
import { ProblemError } from '../../api/problem-error.ts';
import { runQuery } from '../../api/queries.ts';
import { AnchorLink, ButtonLink } from '../../ui/links.tsx';
import { useChangeSearch } from '../../ui/search-params.ts';
import { callCopies } from '../../ui/call-copies.ts';
import { CopyAs } from '../../ui/copy-as.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Fact } from '../../ui/fact.tsx';
import { RelativeTime, RunDuration } from '../../ui/times.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { RunLink } from '../../ui/run-link.tsx';
import { Status } from '../../ui/status.tsx';
import { TypeIcon } from '../../ui/type-icon.tsx';
import { firstRunOf } from './reruns.ts';
import { SaveRunAsExample } from './save-run-example.tsx';
import { AnswerLink } from './answer-link.tsx';
import { CancelRun } from './cancel-run.tsx';
import { RunCompare } from './run-compare.tsx';
import { RunData } from './run-data.tsx';
import { RunEnding } from './run-ending.tsx';
import { RunHistory } from './run-history.tsx';
import { RunStory } from './run-story.tsx';
import { RunTimeline } from './run-timeline.tsx';
import { nameOfStep } from './spans.ts';
import { useTree } from './use-tree.ts';
import { IfMay } from '../../sign-in/if-may.tsx';

const NO_FILTER = { find: undefined, only: undefined, event: undefined, step: undefined, visit: undefined };

export function RunPage() {
  const { playbook, runId } = useParams({ from: '/playbooks/$playbook/runs/$runId' });
  const run = useQuery(runQuery(playbook, runId));
  const isMissing = run.error instanceof ProblemError && run.error.problemName === 'not_found';
  return (
    <div className="page">
      <div className="page-inner">
        {run.data === undefined && <PageTitle title="Run" about={runId} />}
        {run.error !== null && (isMissing ? <NoRun playbook={playbook} /> : <ProblemView error={run.error} />)}
        {run.isPending && <Skeleton height={300} />}
        {run.data !== undefined && <RunView playbook={playbook} run={run.data} />}
      </div>
    </div>
  );
}

function NoRun({ playbook }: { playbook: string }) {
  return (
    <EmptyState
      icon={SearchX}
      title="Run not found"
      action={
        <ButtonLink variant="default" to="/playbooks/$playbook/runs" params={{ playbook }}>
          All runs
        </ButtonLink>
      }
    >
      This playbook has no run with this ID. Runs are never deleted, so it may belong to another playbook.
    </EmptyState>
  );
}

function RunView({ playbook, run }: { playbook: string; run: RunWithRecord }) {
  const search = useSearch({ from: '/playbooks/$playbook/runs/$runId' });
  const tree = useTree(playbook, run.run_id);
  const tab = search.tab ?? (DEFINITION_FACTS[run.type].hasSteps === true ? 'timeline' : 'data');
  const change = useChangeSearch(search);

  return (
    <>
      <PageTitle title={run.name} before={<TypeIcon type={run.type} size={22} />}>
        <CopyAs
          copies={[
            ...callCopies('get_run', { playbook, run_id: run.run_id }),
            { name: 'JSON', text: () => JSON.stringify(run, undefined, 2) },
            { name: 'Run ID', text: () => run.run_id },
          ]}
        />
        {run.status === 'started' && <AnswerLink playbook={playbook} runId={run.run_id} events={tree.events} />}
        {run.status === 'started' && DEFINITION_FACTS[run.type].mayWait === true && (
          <IfMay call="cancel_run">
            <CancelRun playbook={playbook} runId={run.run_id} />
          </IfMay>
        )}
        <SaveRunAsExample playbook={playbook} run={run} started={tree.started} events={tree.events} />
        <IfMay call="run_definition">
          <ButtonLink
            size="xs"
            // A run in progress has more urgent actions.
            variant={run.status === 'started' ? 'default' : 'filled'}
            leftSection={<RotateCcw size={14} aria-hidden />}
            to="/playbooks/$playbook/definitions/$type/$name"
            params={{ playbook, type: run.type, name: run.name }}
            search={{ tab: 'run', from_run: run.run_id }}
          >
            Run again…
          </ButtonLink>
        </IfMay>
      </PageTitle>
      <RunFacts playbook={playbook} run={run} />
      <RunEnding playbook={playbook} run={run} />
      <RunStory playbook={playbook} run={run} />
      <Tabs
        value={tab}
        keepMounted={false}
        // Filters of one tab do not apply to another.
        onChange={(value) => change({ ...NO_FILTER, tab: value as 'timeline' })}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="timeline">Timeline</Tabs.Tab>
          <Tabs.Tab value="data">Input and output</Tabs.Tab>
          <Tabs.Tab value="history">History</Tabs.Tab>
          <Tabs.Tab value="compare">Compare</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="timeline">
          <RunTimeline
            playbook={playbook}
            run={run}
            events={tree.events}
            isPending={tree.isPending}
            filter={search}
            onFilter={change}
          />
        </Tabs.Panel>
        <Tabs.Panel value="data">
          <RunData playbook={playbook} run={run} started={tree.started} />
        </Tabs.Panel>
        <Tabs.Panel value="compare">
          <RunCompare
            playbook={playbook}
            run={run}
            against={search.against}
            onAgainst={(against) => change({ against })}
          />
        </Tabs.Panel>
        <Tabs.Panel value="history">
          <RunHistory
            playbook={playbook}
            runId={run.run_id}
            events={tree.events}
            isPending={tree.isPending}
            find={search.find}
            opened={search.event}
            onFind={(find) => change({ find })}
          />
        </Tabs.Panel>
      </Tabs>
      {tree.error !== null && <ProblemView error={tree.error} />}
    </>
  );
}

function RunFacts({ playbook, run }: { playbook: string; run: RunWithRecord }) {
  const { type, name, definition_version: version, origin } = run;
  const first = firstRunOf(run.run_id);
  return (
    <Group gap="lg" mb="md" component="dl" my={0} pb={4} className="facts">
      <Fact title="Status">
        <span role="status">
          <Status run={run} />
        </span>
      </Fact>
      <Fact title="Definition">
        <AnchorLink
          to="/playbooks/$playbook/definitions/$type/$name"
          params={{ playbook, type, name }}
          search={{ tab: 'versions', version }}
        >
          {type}/{name}, version {version}
        </AnchorLink>
      </Fact>
      <Fact title="Started">
        <RelativeTime at={run.started_at} />
      </Fact>
      <Fact title="Duration">
        <RunDuration run={run} />
      </Fact>
      <Fact title="Started by">
        <StartedBy playbook={playbook} run={run} />
      </Fact>
      {origin !== undefined && (
        <Fact title="Continued from">
          <RunLink playbook={playbook} runId={origin.run_id}>
            run {origin.run_id.slice(0, 8)}
          </RunLink>
          , step {nameOfStep(origin.step)}
        </Fact>
      )}
      {first !== undefined && (
        <Fact title="Rerun of">
          <RunLink playbook={playbook} runId={first}>
            run {first.slice(0, 8)}
          </RunLink>
        </Fact>
      )}
    </Group>
  );
}

function StartedBy({ playbook, run }: { playbook: string; run: RunWithRecord }) {
  if (run.called_by !== undefined) {
    return (
      <RunLink playbook={playbook} runId={run.called_by.run_id}>
        a run of {run.called_by.run}
      </RunLink>
    );
  }
  return run.trigger === undefined ? run.started_by : `trigger (${run.trigger.kind})`;
}
