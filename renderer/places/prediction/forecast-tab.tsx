import './prediction.css';
import { Autocomplete, Button, Group, Select, Skeleton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { ChartSpline } from 'lucide-react';
import { useState } from 'react';
import type { Json, JsonObject } from '../../../shared/json.ts';
import type { Run } from '../../../shared/api/index.ts';
import { call, nextSubmission, type Submission } from '../../api/call.ts';
import { type DefinitionKey, runQuery } from '../../api/queries.ts';
import type { Series } from '../../shapes/series-rows.ts';
import { AnchorLink, ButtonLink } from '../../ui/links.tsx';
import { callCopies } from '../../ui/call-copies.ts';
import { CopyAs } from '../../ui/copy-as.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useCommandKey } from '../../ui/keyboard.ts';
import { ShortcutKey } from '../../ui/shortcut-key.tsx';
import { SHORTCUTS } from '../../ui/shortcuts.ts';
import { ProblemView } from '../../ui/problem-view.tsx';
import { Forecast } from './forecast.tsx';
import { horizonsOf, type PredictionTabProps, seriesQuery, type Standing, standingOf } from './queries.ts';
import { useMayCall } from '../../api/session/use-session.ts';

/** Milliseconds after the last key. */
const SUGGESTION_DELAY = 200;

/** Asks the active version about a series, and draws the answer with its interval. */
export function ForecastTab({ definitionKey: key, definition }: PredictionTabProps) {
  const standing = standingOf(definition);
  const { series: chosen = '' } = useSearch({ from: '/playbooks/$playbook/definitions/$type/$name' });
  const [series, setSeries] = useState(chosen);
  const [horizon, setHorizon] = useState<string | null>(null);
  const [search] = useDebouncedValue(series, SUGGESTION_DELAY);
  const dataset = standing?.dataset?.dataset;
  const found = useInfiniteQuery({ ...seriesQuery(key, dataset, search), enabled: dataset !== undefined });
  const input: JsonObject = { series, ...(horizon === null ? {} : { horizon: Number(horizon) }) };
  const asking = useMutation({
    mutationFn: ({ id, body }: Submission<Json>) => call('run_definition', { ...key, input: body, run_id: id }),
  });
  const mayRun = useMayCall('run_definition');
  const canAsk = series !== '' && standing !== undefined && mayRun;
  const ask = (): void => {
    if (canAsk && !asking.isPending) asking.mutate(nextSubmission(asking, input));
  };
  useCommandKey('Enter', ask);
  if (standing === undefined) {
    return (
      <div className="prediction-tab">
        <EmptyState icon={ChartSpline} title="The function is retired">
          It answers no questions. The runs that asked it are in its history.
        </EmptyState>
      </div>
    );
  }
  return (
    <div className="prediction-tab">
      <form
        className="prediction-part"
        onSubmit={(event) => {
          event.preventDefault();
          ask();
        }}
      >
        <Group align="flex-end" gap="sm">
          <Autocomplete
            label="Series"
            placeholder="Name of a series"
            w={280}
            maw="100%"
            limit={50}
            // The service has already filtered them.
            filter={({ options }) => options}
            data={[...new Set(found.data?.pages.flatMap(({ items }) => items.map((item) => item.series)))]}
            value={series}
            onChange={setSeries}
          />
          <Select
            label="Horizon"
            placeholder="All horizons"
            w={160}
            clearable
            data={horizonsOf(definition.input_schema).map(String)}
            value={horizon}
            onChange={setHorizon}
            clearButtonProps={{ 'aria-label': 'All horizons' }}
          />
          <Button
            type="submit"
            leftSection={<ChartSpline size={15} aria-hidden />}
            rightSection={<ShortcutKey of={SHORTCUTS.run} />}
            disabled={!canAsk}
            loading={asking.isPending}
          >
            Forecast
          </Button>
          <CopyAs size="sm" isOff={!canAsk} copies={callCopies('run_definition', { ...key, input })} />
        </Group>
      </form>
      <section aria-label="Forecast" aria-live="polite">
        {asking.isPending && <Skeleton height={330} />}
        {asking.error !== null && <ProblemView error={asking.error} />}
        {asking.data !== undefined && <RunForecast playbook={key.playbook} run={asking.data} />}
        {asking.isIdle && <NoForecast definitionKey={key} active={standing.active} />}
      </section>
    </div>
  );
}

function NoForecast({ definitionKey, active }: { definitionKey: DefinitionKey; active: Standing['active'] }) {
  if (active != null) {
    return (
      <EmptyState icon={ChartSpline} title="No forecast yet">
        Choose a series, then press Forecast. Version {active.version} predicts it from the newest dataset.
      </EmptyState>
    );
  }
  const models = (
    <ButtonLink
      variant="default"
      to="/playbooks/$playbook/definitions/$type/$name"
      params={definitionKey}
      search={{ tab: 'models' }}
    >
      Open the models
    </ButtonLink>
  );
  return (
    <EmptyState icon={ChartSpline} title="No active model version" action={models}>
      Questions are answered once a version is active. Start a build, or activate a version that was built.
    </EmptyState>
  );
}

function RunForecast({ playbook, run: { run_id: runId, output } }: { playbook: string; run: Run }) {
  const { data } = useQuery(runQuery(playbook, runId));
  return (
    <Forecast
      output={output as Series}
      version={data?.record?.['version']}
      coverage={data?.record?.['coverage']}
      more={
        <AnchorLink underline="always" to="/playbooks/$playbook/runs/$runId" params={{ playbook, runId }}>
          Open the run
        </AnchorLink>
      }
    />
  );
}
