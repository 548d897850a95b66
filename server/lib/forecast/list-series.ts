// A page of a panel's series with their latest values, for people who look at the data or choose a series.
import { labelOf } from './calendar.ts';
import { copyPeriods, type PanelData } from './panel.ts';

/** The points of a page altogether, unless its only series has more. */
const MOST_POINTS = 20_000;

export interface SeriesQuery {
  /** Only series whose name contains it, in any case. */
  search: string | undefined;
  /** The position of the last series of the previous page; undefined for the first page. */
  after: number | undefined;
  /** The maximum number of series. */
  limit: number;
  /** The maximum number of periods of each series: the latest ones, up to its last value. */
  periods: number;
}

export interface ListedSeries {
  /** Its position in the dataset, from 0. */
  position: number;
  series: string;
  /** The periods of its first and last value. */
  first: string;
  last: string;
  /** Null is a missing value. */
  points: { at: string; value: number | null }[];
}

export interface SeriesPage {
  items: ListedSeries[];
  hasMore: boolean;
}

/** Series in the order of the dataset. A page of long series has fewer than `limit`. */
export function listSeries(panel: PanelData, { search = '', after = -1, limit, periods }: SeriesQuery): SeriesPage {
  const wanted = search.toLowerCase();
  const items: ListedSeries[] = [];
  let points = 0;
  for (let series = after + 1; series < panel.names.length; series += 1) {
    const name = panel.names[series] ?? '';
    if (!name.toLowerCase().includes(wanted)) continue;
    const item = listed(panel, series, name, periods);
    points += item.points.length;
    if (items.length === limit || (items.length > 0 && points > MOST_POINTS)) return { items, hasMore: true };
    items.push(item);
  }
  return { items, hasMore: false };
}

function listed(panel: PanelData, position: number, series: string, periods: number): ListedSeries {
  const first = panel.firstValue[position] ?? 0;
  const last = panel.lastValue[position] ?? 0;
  const begin = Math.max(first, last - periods + 1);
  const values = new Float64Array(last - begin + 1);
  copyPeriods(panel, panel.target, position, begin, values);
  return {
    position,
    series,
    first: labelOf(panel.period, first),
    last: labelOf(panel.period, last),
    points: Array.from(values, (value, step) => ({
      at: labelOf(panel.period, begin + step),
      value: Number.isNaN(value) ? null : value,
    })),
  };
}
