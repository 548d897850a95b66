export const description =
  'Counts reports by month, with the range expected from season and year, and marks unusual months.';

export const input = {
  type: 'object',
  required: ['records'],
  additionalProperties: false,
  properties: {
    records: {
      type: 'array',
      minItems: 1,
      maxItems: 5000,
      description: 'The reports, in any order.',
      items: {
        type: 'object',
        required: ['date', 'damage'],
        properties: {
          date: { type: 'string', format: 'date', description: 'Day of the flight.' },
          airport: { type: 'string', description: 'Name of the airport.' },
          damage: { type: 'string', description: 'Damage to the aircraft, or None.' },
        },
      },
    },
    airport: {
      type: 'string',
      description: 'Counts only the reports of this airport, over the months of all reports.',
    },
  },
};

export const output = { shape: 'series' };

export const examples = [
  {
    name: 'A month without reports counts as zero, and two months are too few for an expected range',
    input: {
      records: [
        { date: '2001-11-30', damage: 'Minor' },
        { date: '2002-01-05', damage: 'None' },
        { date: '2002-01-09', damage: 'None' },
      ],
    },
    output: {
      unit: 'reports',
      lines: [
        {
          name: 'Reports',
          points: [
            { at: '2001-11', value: 1 },
            { at: '2001-12', value: 0 },
            { at: '2002-01', value: 2 },
          ],
        },
        {
          name: 'With damage',
          points: [
            { at: '2001-11', value: 1 },
            { at: '2001-12', value: 0 },
            { at: '2002-01', value: 0 },
          ],
        },
      ],
    },
  },
];

/** Fewer months are not enough to estimate a season. */
const LEAST_MONTHS = 36;
/** The usual limit for a robust z-score (Iglewicz and Hoaglin). */
const UNUSUAL_Z = 3.5;

interface Report {
  date: string;
  airport?: string;
  damage: string;
}

export default function (input) {
  const all = input.records as Report[];
  const kept = input.airport === undefined ? all : all.filter(({ airport }) => airport === input.airport);
  const months = monthsOf(all);
  const reports = countByMonth(months, kept);
  const damaged = countByMonth(
    months,
    kept.filter(({ damage }) => damage !== 'None'),
  );
  const lines: Output['lines'] = [
    { name: 'Reports', points: months.map((month, index) => ({ at: nameOf(month), value: reports[index] })) },
    { name: 'With damage', points: months.map((month, index) => ({ at: nameOf(month), value: damaged[index] })) },
  ];
  if (months.length >= LEAST_MONTHS) {
    const expected = expectedOf(months, reports);
    const isUnusual = (index: number): boolean => {
      const count = reports[index] ?? 0;
      return count < (expected[index]?.low ?? 0) || count > (expected[index]?.high ?? 0);
    };
    lines.push(
      { name: 'Expected', points: months.map((month, index) => ({ at: nameOf(month), ...expected[index] })) },
      {
        name: 'Unusual',
        points: months.map((month, index) => ({
          at: nameOf(month),
          value: isUnusual(index) ? reports[index] : null,
        })),
      },
    );
    const unusual = months
      .map((month, index) => `${nameOf(month)}: ${reports[index]}, expected ${expected[index]?.value}.`)
      .filter((_, index) => isUnusual(index));
    console.log([`${unusual.length} of ${months.length} months are unusual.`, ...unusual].join(' '));
  }
  return { unit: 'reports', lines };
}

/** A month is a number, 12 * year + month from 0. */
function monthOf({ date }: Report): number {
  return 12 * Number(date.slice(0, 4)) + Number(date.slice(5, 7)) - 1;
}

function nameOf(month: number): string {
  return `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}`;
}

/** Every month from the first report's to the last one's. */
function monthsOf(reports: Report[]): number[] {
  const seen = reports.map(monthOf);
  const first = seen.reduce((a, b) => Math.min(a, b));
  const last = seen.reduce((a, b) => Math.max(a, b));
  if (last - first >= 1200) throw new Error('The reports span more than 100 years.');
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

function countByMonth(months: number[], reports: Report[]): number[] {
  const counts = months.map(() => 0);
  for (const report of reports) {
    const index = monthOf(report) - (months[0] ?? 0);
    counts[index] = (counts[index] ?? 0) + 1;
  }
  return counts;
}

/**
 * The counts expected from year and calendar month: Tukey's median polish, on square roots because the scatter of
 * counts grows with them. The range lies 3.5 robust standard deviations (from the median absolute deviation) either way.
 */
function expectedOf(months: number[], counts: number[]): { value: number; low: number; high: number }[] {
  const observed = counts.map((count) => Math.sqrt(count + 3 / 8));
  const left = [...observed];
  const years = groupsOf(months.map((month) => Math.floor(month / 12)));
  const seasons = groupsOf(months.map((month) => month % 12));
  for (let round = 0; round < 10; round += 1) {
    for (const members of [...years, ...seasons]) {
      const middle = median(members.map((index) => left[index] ?? 0));
      for (const index of members) left[index] = (left[index] ?? 0) - middle;
    }
  }
  const reach = UNUSUAL_Z * 1.4826 * median(left.map(Math.abs));
  return observed.map((root, index) => {
    const fitted = root - (left[index] ?? 0);
    return { value: toCount(fitted), low: toCount(fitted - reach), high: toCount(fitted + reach) };
  });
}

/** Back from the square root, to one decimal. */
function toCount(root: number): number {
  return Math.round(10 * Math.max(0, Math.max(0, root) ** 2 - 3 / 8)) / 10;
}

/** The positions that share a key. */
function groupsOf(keys: number[]): number[][] {
  const groups = new Map<number, number[]>();
  keys.forEach((key, index) => groups.set(key, [...(groups.get(key) ?? []), index]));
  return [...groups.values()];
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[half - 1] ?? 0)) / 2;
}
