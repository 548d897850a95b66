export const description =
  'Finds pairs of reports that may describe the same strike: same airport, at most a few days apart, and similar in most fields.';

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
        required: ['id', 'date', 'airport'],
        properties: {
          id: { type: 'string', description: 'Id of the report.' },
          date: { type: 'string', format: 'date', description: 'Day of the flight.' },
          airport: { type: 'string', description: 'Name of the airport.' },
          operator: { type: 'string', description: 'Operator of the aircraft, or UNKNOWN.' },
          aircraft: { type: 'string', description: 'Make and model of the aircraft.' },
          phase: { type: 'string', description: 'Phase of flight.' },
          light: { type: 'string', description: 'Light conditions.' },
          species: { type: 'string', description: 'Species, or what is known about it.' },
          size: { type: 'string', description: 'Size of the animal.' },
          damage: { type: 'string', description: 'Damage to the aircraft, or None.' },
          speed_kt: { type: 'number', description: 'Indicated airspeed in knots, if reported.' },
        },
      },
    },
    days: {
      type: 'integer',
      minimum: 0,
      maximum: 7,
      default: 1,
      description: 'Maximum number of days between the two reports.',
    },
    similarity: {
      type: 'integer',
      minimum: 50,
      maximum: 100,
      default: 80,
      description: 'Minimum similarity of a pair, in percent of the weight of the fields that both reports have.',
    },
  },
};

export const output = { shape: 'table' };

const columns = [
  { key: 'similarity', title: 'Similarity, %' },
  { key: 'first', title: 'First report' },
  { key: 'second', title: 'Second report' },
  { key: 'airport', title: 'Airport' },
  { key: 'date', title: 'Date of the first' },
  { key: 'days_apart', title: 'Days apart' },
  { key: 'differs_in', title: 'Differs in' },
];

export const examples = [
  {
    name: 'Two reports from one evening, one of which names the bird, and one about another aircraft',
    input: {
      records: [
        {
          id: 'A',
          date: '2002-05-01',
          airport: 'LOS ANGELES INTL',
          operator: 'UNITED AIRLINES',
          aircraft: 'B-737-300',
          phase: 'Climb',
          species: 'Rock pigeon',
        },
        {
          id: 'B',
          date: '2002-05-01',
          airport: 'LOS ANGELES INTL',
          operator: 'UNITED AIRLINES',
          aircraft: 'B-737',
          phase: 'Climb',
          species: 'Unknown bird - small',
        },
        {
          id: 'C',
          date: '2002-05-01',
          airport: 'LOS ANGELES INTL',
          operator: 'FEDEX EXPRESS',
          aircraft: 'A-300',
          phase: 'Climb',
          species: 'Rock pigeon',
        },
      ],
      similarity: 75,
    },
    output: {
      columns,
      rows: [
        {
          similarity: 75,
          first: 'A',
          second: 'B',
          airport: 'LOS ANGELES INTL',
          date: '2002-05-01',
          days_apart: 0,
          differs_in: 'aircraft, species',
        },
      ],
    },
  },
];

interface Report {
  id: string;
  date: string;
  airport: string;
  [field: string]: string | number | undefined;
}

/** The weight of each field. A field that either report leaves out does not count. */
const WEIGHTS: Record<string, number> = {
  operator: 3,
  aircraft: 3,
  species: 2,
  phase: 2,
  light: 1,
  size: 1,
  damage: 1,
  speed_kt: 1,
};
const DAY = 86_400_000;
const MOST_COMPARISONS = 20_000;
const MOST_ROWS = 200;

export default function (input) {
  const most: number = input.days ?? 1;
  const least: number = input.similarity ?? 80;
  // By airport, then day, so that the candidates of a report follow it.
  const reports = (input.records as Report[])
    .map((report) => ({ report, day: Date.parse(report.date) / DAY }))
    .toSorted(
      (a, b) => compare(a.report.airport, b.report.airport) || a.day - b.day || compare(a.report.id, b.report.id),
    );

  const rows = [];
  let comparisons = 0;
  for (const [index, { report, day }] of reports.entries()) {
    for (let next = index + 1; next < reports.length; next += 1) {
      const other = reports[next];
      if (other === undefined || other.report.airport !== report.airport || other.day - day > most) break;
      comparisons += 1;
      if (comparisons > MOST_COMPARISONS)
        throw new Error('There are too many reports on the same days; set fewer days.');
      const { similarity, differsIn } = compareReports(report, other.report);
      if (similarity < least) continue;
      rows.push({
        similarity,
        first: report.id,
        second: other.report.id,
        airport: report.airport,
        date: report.date,
        days_apart: other.day - day,
        differs_in: differsIn.join(', '),
      });
    }
  }
  console.log(`Compared ${comparisons} pairs, ${rows.length} are similar enough.`);
  const ranked = rows.toSorted(
    (a, b) => b.similarity - a.similarity || a.days_apart - b.days_apart || compare(a.first, b.first),
  );
  return { columns, rows: ranked.slice(0, MOST_ROWS) };
}

function compareReports(one: Report, other: Report): { similarity: number; differsIn: string[] } {
  let weight = 0;
  let alike = 0;
  const differsIn: string[] = [];
  for (const [field, fieldWeight] of Object.entries(WEIGHTS)) {
    const [left, right] = [one[field], other[field]];
    if (left === undefined || right === undefined || left === 'UNKNOWN' || right === 'UNKNOWN') continue;
    weight += fieldWeight;
    const part = partAlike(field, left, right);
    alike += fieldWeight * part;
    if (part < 1) differsIn.push(field);
  }
  return { similarity: weight === 0 ? 0 : Math.round((100 * alike) / weight), differsIn };
}

/** From 0 (different) to 1 (equal); 0.5 if one value may be a vaguer name for the other. */
function partAlike(field: string, left: string | number, right: string | number): number {
  if (left === right) return 1;
  if (typeof left === 'number' && typeof right === 'number') return Math.abs(left - right) <= 10 ? 0.5 : 0;
  const [a, b] = [String(left), String(right)];
  if (field === 'aircraft') return a.startsWith(b) || b.startsWith(a) ? 0.5 : 0;
  if (field === 'species') return a.startsWith('Unknown') || b.startsWith('Unknown') ? 0.5 : 0;
  return 0;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
