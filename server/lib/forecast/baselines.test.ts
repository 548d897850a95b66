import { expect, test } from 'vitest';
import { type Baseline, baselineForecast } from './baselines.ts';
import golden from './golden/baselines.json' with { type: 'json' };

interface Case {
  season: number;
  values: (number | null)[];
  seasonal_naive: number[];
  drift: number[];
  theta?: number[];
  thetaf?: number[];
}

const CASES = Object.entries(golden as Record<string, Case>);

function forecastOf(baseline: Baseline, { season, values, drift }: Case): Float64Array {
  const numbers = Float64Array.from(values, (value) => value ?? Number.NaN);
  return baselineForecast(baseline, { values: numbers, season }, drift.length);
}

/** The largest difference, as a share of the value where that is above 1. */
function difference(ours: Float64Array, others: readonly number[]): number {
  return Math.max(
    ...others.map((other, step) => Math.abs((ours[step] ?? Number.NaN) - other) / Math.max(1, Math.abs(other))),
  );
}

test.each(CASES)('%s: the baselines are those of R', (_, series) => {
  expect(difference(forecastOf('seasonal_naive', series), series.seasonal_naive)).toBeLessThan(1e-12);
  expect(difference(forecastOf('drift', series), series.drift)).toBeLessThan(1e-9);
});

test.each(CASES.filter(([, { theta }]) => theta !== undefined))(
  '%s: Theta is its formula, and close to the one of R',
  (_, series) => {
    expect(difference(forecastOf('theta', series), series.theta ?? [])).toBeLessThan(1e-6);
    expect(difference(forecastOf('theta', series), series.thetaf ?? [])).toBeLessThan(0.01);
  },
);

test.each<[string, (number | null)[], number[]]>([
  ['one value', [7], [7, 7, 7]],
  ['a constant series', [5, 5, 5, 5, 5, 5, 5, 5, 5], [5, 5, 5]],
  // The last value, raised by half the slope.
  ['a straight line with a gap', [1, 2, null, 4, 5, 6, 7], [7.5, 8, 8.5]],
])('Theta forecasts %s', (_, values, forecast) => {
  const numbers = Float64Array.from(values, (value) => value ?? Number.NaN);
  const theta = [...baselineForecast('theta', { values: numbers, season: 1 }, 3)];
  theta.forEach((value, step) => expect(value).toBeCloseTo(forecast[step] ?? Number.NaN, 3));
});

test('a series that ended before the origin is forecast from its end', () => {
  const values = Float64Array.from({ length: 12 }, (_, t) => 10 + t + (t % 3));
  const ended = Float64Array.from([...values, Number.NaN, Number.NaN]);
  const whole = baselineForecast('theta', { values, season: 3 }, 5);
  expect([...baselineForecast('theta', { values: ended, season: 3 }, 3)]).toEqual([...whole.subarray(2)]);
});
