import './home.css';
import { Group, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import {
  DEFINITION_FACTS,
  DEFINITION_TYPES,
  type DefinitionType,
  isDefinitionType,
} from '../../../shared/definition-types.ts';
import { isWithoutOutput, successOf, successRate } from '../../../shared/status-label.ts';
import type { Analytics } from '../../../shared/api/index.ts';
import { analyticsQuery, definitionsQuery, latestRunsQuery, playbooksQuery } from '../../api/queries.ts';
import { useChangeSearch } from '../../ui/search-params.ts';
import { durationWords } from '../../../shared/duration-words.ts';
import { InlineCode } from '../../ui/inline-code.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { WhenSeen } from '../../ui/when-seen.tsx';
import type { ByDayProps } from './by-day.tsx';
import { ByFunction } from './by-function.tsx';
import { FirstSteps } from './first-steps.tsx';
import { ShortRuns } from '../../ui/short-runs.tsx';
import { ShortWaiting } from './short-waiting.tsx';

const Forecasts = lazy(async () => ({ default: (await import('./forecasts.tsx')).Forecasts }));
const NothingHere = lazy(async () => ({ default: (await import('./nothing-here.tsx')).NothingHere }));
const ByDay = lazy(async () => ({ default: (await import('./by-day.tsx')).ByDay }));

const ShortStalled = lazy(async () => ({ default: (await import('./short-stalled.tsx')).ShortStalled }));

const ShortSchedules = lazy(async () => ({
  default: (await import('../schedules/short-schedules.tsx')).ShortSchedules,
}));

const ImportInto = lazy(async () => ({ default: (await import('../playbooks/import-into.tsx')).ImportInto }));

const SHORT = 6;
/** How many of the latest rejected runs are searched for those that nobody cancelled. */
const MOST_REJECTED = 50;
const MEASURES = [
  { value: 'runs', label: 'Runs' },
  { value: 'tokens', label: 'Tokens' },
  { value: 'duration', label: 'Duration' },
];

export function HomePage() {
  const { playbook } = useParams({ from: '/playbooks/$playbook/' });
  const search = useSearch({ from: '/playbooks/$playbook/' });
  const { days = 30, show = 'runs', type, import: isImporting } = search;
  const playbooks = useQuery(playbooksQuery);
  const analytics = useQuery(analyticsQuery(playbook, days, type));
  const definitions = useQuery(definitionsQuery(playbook));
  const found = playbooks.data?.find(({ id }) => id === playbook);
  const hasSchedules = (definitions.data ?? []).some(
    ({ status, triggers = [] }) => status === 'active' && triggers.some(({ kind }) => kind !== 'event'),
  );
  const forecasting = (definitions.data ?? []).filter(
    (one) =>
      DEFINITION_FACTS[one.type].buildsModels === true && one.status === 'active' && (type ?? one.type) === one.type,
  );
  const isEmpty = definitions.data?.length === 0 && analytics.data?.by_function.length === 0;
  const change = useChangeSearch(search);

  return (
    <div className="page">
      <div className="page-inner">
        <PageTitle title={found?.name ?? playbook} about={found && <InlineCode>{found.description}</InlineCode>}>
          {!isEmpty && (
            <>
              <TypeSelect type={type} onChange={(chosen) => change({ type: chosen })} />
              <SegmentedControl
                aria-label="Period"
                data={[7, 30, 90].map((value) => ({ value: String(value), label: `${value} days` }))}
                value={String(days)}
                onChange={(value) => change({ days: Number(value) })}
              />
            </>
          )}
        </PageTitle>
        <Stack>
          {analytics.error !== null && <ProblemView error={analytics.error} />}
          <FirstSteps playbook={playbook} />
          {isEmpty ? (
            <Suspense>
              <NothingHere playbook={playbook} />
            </Suspense>
          ) : (
            <>
              <Figures analytics={analytics.data} />
              <div className="home-grid">
                <div className="home-wide">
                  <ByDayCard
                    playbook={playbook}
                    days={analytics.data?.by_day}
                    measure={show}
                    type={type}
                    onMeasure={(measure) => change({ show: measure === 'runs' ? undefined : measure })}
                  />
                </div>
                <div className="home-narrow">
                  <ByFunction playbook={playbook} functions={analytics.data?.by_function} />
                </div>
                <div className="home-whole">
                  <ShortWaiting playbook={playbook} />
                </div>
                <LatestRuns playbook={playbook} />
                <WhenSeen height={1} className="home-whole">
                  <Suspense>
                    <ShortStalled playbook={playbook} />
                  </Suspense>
                </WhenSeen>
                {hasSchedules && (
                  <WhenSeen height={90} className="home-whole">
                    <Suspense>
                      <ShortSchedules playbook={playbook} />
                    </Suspense>
                  </WhenSeen>
                )}
                {forecasting.length > 0 && (
                  <WhenSeen height={330} className="home-whole">
                    <Suspense>
                      <Forecasts playbook={playbook} functions={forecasting} />
                    </Suspense>
                  </WhenSeen>
                )}
              </div>
            </>
          )}
        </Stack>
      </div>
      <Suspense>{isImporting === true && <ImportInto key={playbook} playbook={playbook} />}</Suspense>
    </div>
  );
}

interface TypeSelectProps {
  type: DefinitionType | undefined;
  onChange: (type: DefinitionType | undefined) => void;
}

function TypeSelect({ type, onChange }: TypeSelectProps) {
  return (
    <select
      className="home-type"
      aria-label="Definition type"
      value={type ?? ''}
      onChange={({ currentTarget: { value } }) => onChange(isDefinitionType(value) ? value : undefined)}
    >
      <option value="">All types</option>
      {DEFINITION_TYPES.map((one) => (
        <option key={one}>{one}</option>
      ))}
    </select>
  );
}

interface ByDayCardProps {
  playbook: string;
  days: ByDayProps['days'] | undefined;
  measure: ByDayProps['measure'];
  type: DefinitionType | undefined;
  onMeasure: (measure: ByDayProps['measure']) => void;
}

function ByDayCard({ playbook, days, measure, type, onMeasure }: ByDayCardProps) {
  return (
    <section className="card" aria-labelledby="by-day" style={{ height: '100%' }}>
      <Group justify="space-between" mb="sm">
        <Text fw={650} id="by-day" component="h2">
          By day
        </Text>
        <SegmentedControl
          size="xs"
          aria-label="Measure"
          data={MEASURES}
          value={measure}
          onChange={(value) => onMeasure(value as ByDayProps['measure'])}
        />
      </Group>
      <Suspense fallback={<Skeleton height={240} />}>
        {days === undefined ? (
          <Skeleton height={240} />
        ) : (
          <ByDay playbook={playbook} days={days} measure={measure} type={type} />
        )}
      </Suspense>
    </section>
  );
}

function LatestRuns({ playbook }: { playbook: string }) {
  const inProgress = useQuery(latestRunsQuery(playbook, { status: 'started' }, SHORT));
  const failed = useQuery(latestRunsQuery(playbook, { status: 'failed' }, SHORT));
  const rejected = useQuery(latestRunsQuery(playbook, { status: 'rejected' }, MOST_REJECTED));
  const withoutOutput = [...(failed.data ?? []), ...(rejected.data ?? []).filter(isWithoutOutput)]
    .toSorted((a, b) => b.started_at.localeCompare(a.started_at))
    .slice(0, SHORT);
  return (
    <>
      <div className="home-half">
        <ShortRuns
          playbook={playbook}
          title="In progress"
          runs={inProgress.data}
          all={[
            { label: 'All running', status: 'running' },
            { label: 'All waiting', status: 'waiting' },
          ]}
          nothing="No runs in progress."
        />
      </div>
      <div className="home-half">
        <ShortRuns
          playbook={playbook}
          title="Failed and rejected"
          runs={failed.data && rejected.data && withoutOutput}
          all={[
            { label: 'All failed', status: 'failed' },
            { label: 'All rejected', status: 'rejected' },
          ]}
          nothing="No failed or rejected runs."
        />
      </div>
    </>
  );
}

function Figures({ analytics }: { analytics: Analytics | undefined }) {
  if (analytics === undefined) return <Skeleton height={84} />;
  const { runs, outcomes, duration_ms, tokens } = analytics;
  const { succeeded, counted } = successOf(outcomes);
  const others = runs.total - counted;
  const duration = (milliseconds: number | null): string => (milliseconds === null ? '–' : durationWords(milliseconds));
  const figures: (readonly [label: string, value: string, about?: string])[] = [
    ['Runs ended', runs.total.toLocaleString()],
    [
      'Success rate',
      successRate({ succeeded, counted }),
      `${succeeded.toLocaleString()} of ${counted.toLocaleString()}${others === 0 ? '' : `; not counted: ${others} cancelled, unanswered or with invalid input`}`,
    ],
    ['Duration (p50)', duration(duration_ms.p50)],
    ['Duration (p95)', duration(duration_ms.p95)],
    ['Model tokens', (tokens.input + tokens.output).toLocaleString()],
  ];
  return (
    <dl className="card figures">
      {figures.map(([label, value, about]) => (
        <div key={label} className="figure">
          <Text component="dt" size="xs" c="dimmed">
            {label}
          </Text>
          <Text component="dd" m={0} fz={24} fw={650} lts="-0.02em" className="number">
            {value}
          </Text>
          {about !== undefined && (
            <Text component="dd" m={0} size="xs" c="dimmed">
              {about}
            </Text>
          )}
        </div>
      ))}
    </dl>
  );
}
