export const description =
  'Summarizes reports by airport, phase of flight, species or another field: count, share with damage, and days between reports.';

export const input = {
  type: 'object',
  required: ['records'],
  additionalProperties: false,
  properties: {
    records: {
      type: 'array',
      maxItems: 5000,
      description: 'The reports, in any order.',
      items: {
        type: 'object',
        required: ['date', 'damage'],
        properties: {
          date: { type: 'string', format: 'date', description: 'Day of the flight.' },
          damage: { type: 'string', description: 'Damage to the aircraft, or None.' },
          cost_usd: { type: 'number', minimum: 0, description: 'Cost in US dollars, if reported.' },
        },
      },
    },
    by: {
      enum: ['airport', 'operator', 'aircraft', 'phase', 'light', 'species', 'size', 'damage'],
      default: 'airport',
      description: 'Field to group by.',
    },
    top: {
      type: 'integer',
      minimum: 1,
      maximum: 100,
      default: 20,
      description:
        'Number of groups with their own row; one more row contains the rest, so that the totals are complete.',
    },
  },
};

export const output = { shape: 'table' };

const columns = [
  { key: 'group', title: 'Group' },
  { key: 'reports', title: 'Reports' },
  { key: 'damaged', title: 'With damage' },
  { key: 'damaged_percent', title: 'With damage, %' },
  { key: 'percent_low', title: '95 % interval from, %' },
  { key: 'percent_high', title: '95 % interval to, %' },
  { key: 'median_gap_days', title: 'Median days between reports' },
  { key: 'p90_gap_days', title: '90th percentile of days between reports' },
  { key: 'cost_usd', title: 'Reported cost, USD' },
];

export const examples = [
  {
    name: 'Three reports from two airports',
    input: {
      records: [
        { date: '2002-07-01', airport: 'SACRAMENTO INTL', damage: 'None' },
        { date: '2002-07-05', airport: 'SACRAMENTO INTL', damage: 'Minor', cost_usd: 1336 },
        { date: '2002-07-02', airport: 'METRO OAKLAND INTL', damage: 'None' },
      ],
    },
    output: {
      columns,
      rows: [
        {
          group: 'SACRAMENTO INTL',
          reports: 2,
          damaged: 1,
          damaged_percent: 50,
          percent_low: 9.5,
          percent_high: 90.5,
          median_gap_days: 4,
          p90_gap_days: 4,
          cost_usd: 1336,
        },
        {
          group: 'METRO OAKLAND INTL',
          reports: 1,
          damaged: 0,
          damaged_percent: 0,
          percent_low: 0,
          percent_high: 79.3,
          median_gap_days: null,
          p90_gap_days: null,
          cost_usd: 0,
        },
      ],
    },
  },
];

interface Report {
  date: string;
  damage: string;
  cost_usd?: number;
  [field: string]: unknown;
}

export default function (input) {
  const field: string = input.by ?? 'airport';
  const groups = new Map<string, Report[]>();
  for (const report of input.records as Report[]) {
    const value = report[field];
    const group = typeof value === 'string' ? value : '(not given)';
    const members = groups.get(group);
    if (members === undefined) groups.set(group, [report]);
    else members.push(report);
  }

  const ranked = [...groups].toSorted(([a, left], [b, right]) => right.length - left.length || (a < b ? -1 : 1));
  const shown = ranked.slice(0, input.top ?? 20);
  const rest = ranked.slice(shown.length);
  const rows = shown.map(([group, reports]) => rowOf(group, reports));
  if (rest.length > 0)
    rows.push(
      rowOf(
        `(${rest.length} others)`,
        rest.flatMap(([, reports]) => reports),
      ),
    );
  return { columns, rows };
}

function rowOf(group: string, reports: Report[]) {
  const damaged = reports.filter(({ damage }) => damage !== 'None').length;
  const [low, high] = wilsonInterval(damaged, reports.length);
  const gaps = gapsInDays(reports);
  return {
    group,
    reports: reports.length,
    damaged,
    damaged_percent: oneDecimal((100 * damaged) / reports.length),
    percent_low: oneDecimal(100 * low),
    percent_high: oneDecimal(100 * high),
    median_gap_days: quantile(gaps, 0.5),
    p90_gap_days: quantile(gaps, 0.9),
    cost_usd: reports.reduce((sum, { cost_usd }) => sum + (cost_usd ?? 0), 0),
  };
}

/** 95 % Wilson interval of a share. With few reports it is wide, so that a group of three does not look like a trend. */
function wilsonInterval(hits: number, of: number): [low: number, high: number] {
  const z = 1.96;
  const share = hits / of;
  const middle = share + (z * z) / (2 * of);
  const reach = z * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of));
  const scale = 1 + (z * z) / of;
  return [Math.max(0, (middle - reach) / scale), Math.min(1, (middle + reach) / scale)];
}

/** Days from each report to the next, in ascending order. */
function gapsInDays(reports: Report[]): number[] {
  const days = reports.map(({ date }) => Date.parse(date) / 86_400_000).toSorted((a, b) => a - b);
  return days
    .slice(1)
    .map((day, index) => day - (days[index] ?? day))
    .toSorted((a, b) => a - b);
}

/** The smallest value that at least the given share of the values does not exceed; null without values. */
function quantile(sorted: number[], share: number): number | null {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}

function oneDecimal(value: number): number {
  return Math.round(value * 10) / 10;
}
