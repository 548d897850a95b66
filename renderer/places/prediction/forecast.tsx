import { Skeleton, Text } from '@mantine/core';
import { lazy, type ReactNode, Suspense } from 'react';
import type { Series } from '../../shapes/series-rows.ts';

const SeriesView = lazy(async () => ({ default: (await import('../../shapes/series-view.tsx')).SeriesView }));

export interface ForecastProps {
  output: Series;
  /** The model version that predicted it. */
  version: unknown;
  /** The share of values that the interval is meant to contain; anything but a number if it was not measured. */
  coverage: unknown;
  /** A link that follows the sentences. */
  more?: ReactNode;
  /** Set inside a card. */
  isPart?: boolean;
}

/** The chart of a forecast, with what its interval means. */
export function Forecast({ output, version, coverage, more, isPart = false }: ForecastProps) {
  return (
    <>
      <Text size="sm" mb="xs">
        {typeof version === 'number' && `Predicted by version ${version}. `}
        {typeof coverage === 'number'
          ? `The interval is meant to contain ${(100 * coverage).toLocaleString()}% of the values. `
          : 'The coverage of the interval was not measured. '}
        {more}
      </Text>
      <Suspense fallback={<Skeleton height={330} />}>
        <SeriesView output={output} isPart={isPart} />
      </Suspense>
    </>
  );
}
