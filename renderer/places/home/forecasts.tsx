import { Group, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense } from 'react';
import type { DefinitionListEntry } from '../../../shared/api/index.ts';
import { type DefinitionKey, definitionQuery, latestRunsQuery } from '../../api/queries.ts';
import { AnchorLink } from '../../ui/links.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import {
  firstQuestion,
  forecastQuery,
  type NamedQuestion,
  type Standing,
  standingOf,
  trainCommand,
} from '../prediction/queries.ts';

// The chart is loaded when there is something to draw.
const Forecast = lazy(async () => ({ default: (await import('../prediction/forecast.tsx')).Forecast }));

const MOST = 4;
const LOADING = <Skeleton height={330} />;

/** The forecasts that prediction functions declare: the first example of each that asks a question. */
export function Forecasts({ playbook, functions }: { playbook: string; functions: readonly DefinitionListEntry[] }) {
  const shown = functions
    .flatMap(({ type, name, details }) => {
      const question = firstQuestion({ details });
      return question === undefined ? [] : [{ definitionKey: { playbook, type, name }, question }];
    })
    .slice(0, MOST);
  return shown.map((one) => (
    <div key={one.definitionKey.name} className={shown.length === 1 ? 'home-whole' : 'home-half'}>
      <HomeForecast {...one} />
    </div>
  ));
}

interface HomeForecastProps {
  definitionKey: DefinitionKey;
  question: NamedQuestion;
}

function HomeForecast({ definitionKey: key, question }: HomeForecastProps) {
  const definition = useQuery(definitionQuery(key));
  const standing = definition.data && standingOf(definition.data);
  const isActive = standing !== undefined && standing.active !== null;
  const forecast = useQuery({ ...forecastQuery(key, question), enabled: isActive });
  const error = definition.error ?? (isActive ? forecast.error : null);
  return (
    <section className="card" aria-label={question.name} style={{ height: '100%' }}>
      <Group justify="space-between" mb={6}>
        <Text fw={650} component="h2">
          {question.name}
        </Text>
        <TabLink definitionKey={key} tab="forecast" series={question.series}>
          {key.name}
        </TabLink>
      </Group>
      {error !== null && <ProblemView error={error} />}
      {standing === undefined && definition.isPending && <Skeleton height={40} />}
      {standing !== undefined && !isActive && <NextStep definitionKey={key} standing={standing} />}
      {isActive && forecast.isPending && LOADING}
      {isActive && forecast.data !== undefined && (
        <Suspense fallback={LOADING}>
          <Forecast {...forecast.data} isPart />
        </Suspense>
      )}
    </section>
  );
}

/** What is missing for a forecast, and how to get it. */
function NextStep({ definitionKey: key, standing }: { definitionKey: DefinitionKey; standing: Standing }) {
  const { playbook, type, name } = key;
  const started = useQuery(latestRunsQuery(playbook, { type, name, status: 'started' }, 1));
  if (standing.dataset === null) {
    return (
      <Text size="sm" c="dimmed">
        There is no dataset yet.{' '}
        <TabLink definitionKey={key} tab="dataset">
          Upload one
        </TabLink>
        , or run{' '}
        <code>
          npx cuebook dataset upload {playbook} FILE --server {location.origin}
        </code>
        .
      </Text>
    );
  }
  const models = (words: string): ReactNode => (
    <TabLink definitionKey={key} tab="models">
      {words}
    </TabLink>
  );
  const train = <code>{trainCommand(playbook)}</code>;
  const isStarted = (started.data ?? []).length > 0;
  return (
    <Text size="sm" c="dimmed">
      There is no forecast yet.{' '}
      {standing.pending === null ? (
        <>
          {models(isStarted ? 'Follow the build' : 'Start a build')}, and train its models with {train}.
        </>
      ) : (
        models(`Version ${standing.pending.version} waits for its ${PENDING[standing.pending.for]}`)
      )}
    </Text>
  );
}

const PENDING = { shadow: 'shadow evaluation', approval: 'approval' } as const;

function TabLink({
  definitionKey: { playbook, type, name },
  children,
  ...search
}: {
  definitionKey: DefinitionKey;
  tab: 'dataset' | 'models' | 'forecast';
  series?: string;
  children: string;
}) {
  return (
    <AnchorLink
      size="sm"
      underline="always"
      to="/playbooks/$playbook/definitions/$type/$name"
      params={{ playbook, type, name }}
      search={search}
    >
      {children}
    </AnchorLink>
  );
}
