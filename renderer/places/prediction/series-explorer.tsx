import { Button, Skeleton, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import type { DefinitionKey } from '../../api/queries.ts';
import { ProblemView } from '../../ui/problem-view.tsx';
import { useRowKeys } from '../../ui/use-row-keys.ts';
import { type ListedSeries, seriesQuery } from './queries.ts';

const SeriesView = lazy(async () => ({ default: (await import('../../shapes/series-view.tsx')).SeriesView }));

/** Milliseconds after the last key. */
const SEARCH_DELAY = 200;

/** The series of a dataset: a list with search, and a chart of the chosen one, which is in the address. */
export function SeriesExplorer({ definitionKey: key, dataset }: { definitionKey: DefinitionKey; dataset: string }) {
  const { series: chosen } = useSearch({ from: '/playbooks/$playbook/definitions/$type/$name' });
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text, SEARCH_DELAY);
  const list = useRef<HTMLDivElement>(null);
  const found = useInfiniteQuery(seriesQuery(key, dataset, search));
  // The chosen series may not be on a loaded page.
  const named = useInfiniteQuery({ ...seriesQuery(key, dataset, chosen ?? ''), enabled: chosen !== undefined });
  const items = found.data?.pages.flatMap((page) => page.items) ?? [];
  const ofName = named.data?.pages.flatMap((page) => page.items) ?? [];
  const shown = chosen === undefined ? items[0] : [...items, ...ofName].find(({ series }) => series === chosen);
  useRowKeys(list, items.length);
  return (
    <div className="series-explorer">
      <section aria-label="Series" className="series-list">
        <TextInput
          size="xs"
          aria-label="Search series"
          placeholder="Search series"
          leftSection={<Search size={14} aria-hidden />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {found.error !== null && <ProblemView error={found.error} />}
        {found.isPending && <Skeleton height={200} mt="xs" />}
        <div ref={list} className="series-names">
          {items.map(({ series, last }, index) => (
            <div key={series} data-index={index}>
              <Link
                data-row-link
                className="series-name"
                to="/playbooks/$playbook/definitions/$type/$name"
                params={key}
                search={{ tab: 'dataset', series }}
                replace
                aria-current={series === shown?.series ? 'true' : undefined}
              >
                <span className="cell">{series}</span>
                <span className="series-last">{last}</span>
              </Link>
            </div>
          ))}
          {found.hasNextPage && (
            <Button
              size="compact-xs"
              variant="subtle"
              loading={found.isFetchingNextPage}
              onClick={() => void found.fetchNextPage()}
            >
              More series
            </Button>
          )}
        </div>
        {!found.isPending && items.length === 0 && found.error === null && (
          <Text size="sm" c="dimmed" mt="xs">
            No series contains this text.
          </Text>
        )}
      </section>
      <section aria-label="Chart" className="series-chart">
        {shown === undefined ? (
          chosen !== undefined && !named.isPending && <NoSeries name={chosen} />
        ) : (
          <Chart item={shown} />
        )}
      </section>
    </div>
  );
}

function Chart({ item: { series, first, last, points } }: { item: ListedSeries }) {
  return (
    <>
      <Text component="h2" fw={650} className="cell" title={series}>
        {series}
      </Text>
      <Text size="sm" c="dimmed" mb="xs">
        Values from {first} to {last}. The chart shows the last {points.length.toLocaleString()} periods.
      </Text>
      <Suspense fallback={<Skeleton height={330} />}>
        <SeriesView output={{ lines: [{ name: 'Value', points }] }} />
      </Suspense>
    </>
  );
}

function NoSeries({ name }: { name: string }) {
  return (
    <Text size="sm" c="dimmed">
      The newest dataset has no series {name}.
    </Text>
  );
}
