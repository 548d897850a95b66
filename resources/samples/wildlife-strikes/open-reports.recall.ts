export const description =
  'Lists unanswered reports, most urgent first, with the time since receipt, the due time and the number of reminders.';

export const expose = true;

export const input = {
  type: 'object',
  additionalProperties: false,
  properties: {
    priority: { enum: ['P1', 'P2', 'P3', 'P4'], description: 'Only reports with this priority.' },
    airport: { type: 'string', description: 'Only reports from this airport.' },
    overdue: { type: 'boolean', default: false, description: 'Only reports whose answer is overdue.' },
    top: { type: 'integer', minimum: 1, maximum: 1000, default: 100, description: 'Maximum number of rows.' },
  },
};

export const output = { shape: 'table' };

export const reads = [
  { events: { type: 'report.received' } },
  { events: { type: 'report.ranked' } },
  { events: { type: 'report.overdue' } },
  { events: { type: 'report.answered' } },
];

export const initial = { open: {} };

const columns = [
  { key: 'report', title: 'Report' },
  { key: 'priority', title: 'Priority' },
  { key: 'airport', title: 'Airport' },
  { key: 'due_at', title: 'Due' },
  { key: 'hours_left', title: 'Hours left' },
  { key: 'hours_open', title: 'Hours open' },
  { key: 'reminders', title: 'Reminders' },
];

export const examples = [
  {
    name: 'One report is late, one is not ranked yet, one was answered',
    events: [
      {
        id: '1',
        source: '/tower',
        type: 'report.received',
        time: '2025-12-30T09:00:00Z',
        data: { id: 'WS-1', airport: 'SAN' },
      },
      {
        id: '2',
        source: '/office',
        type: 'report.ranked',
        time: '2025-12-30T09:00:01Z',
        data: { report: 'WS-1', priority: 'P1', due_at: '2025-12-30T10:00:00.000Z' },
      },
      {
        id: '3',
        source: '/tower',
        type: 'report.received',
        time: '2025-12-31T12:00:00Z',
        data: { id: 'WS-2', airport: 'OAK' },
      },
      {
        id: '4',
        source: '/office',
        type: 'report.answered',
        time: '2025-12-31T13:00:00Z',
        data: { report: 'WS-2', by: 'Ada' },
      },
      {
        id: '5',
        source: '/office',
        type: 'report.overdue',
        time: '2025-12-31T14:00:00Z',
        data: { report: 'WS-1', after_hours: 0 },
      },
      { id: '6', source: '/tower', type: 'report.received', time: '2025-12-31T18:00:00Z', data: { id: 'WS-3' } },
    ],
    input: {},
    output: {
      columns,
      rows: [
        {
          report: 'WS-1',
          priority: 'P1',
          airport: 'SAN',
          due_at: '2025-12-30T10:00:00.000Z',
          hours_left: -38,
          hours_open: 39,
          reminders: 1,
        },
        { report: 'WS-3', priority: null, airport: null, due_at: null, hours_left: null, hours_open: 6, reminders: 0 },
      ],
    },
  },
];

interface Open {
  since: string;
  airport: string | null;
  priority: string | null;
  due_at: string | null;
  reminders: number;
}

export function evolve(state, event) {
  const { type, time, data } = event.event;
  const id = type === 'report.received' ? data?.id : data?.report;
  if (typeof id !== 'string') return state;
  const report: Open | undefined = Object.hasOwn(state.open, id) ? state.open[id] : undefined;
  switch (type) {
    case 'report.received':
      if (!report)
        state.open[id] = {
          since: timeOf(time) ?? event.at,
          airport: textOf(data.airport),
          priority: null,
          due_at: null,
          reminders: 0,
        };
      break;
    case 'report.ranked':
      if (report) Object.assign(report, { priority: textOf(data.priority), due_at: timeOf(data.due_at) });
      break;
    case 'report.overdue':
      if (report) report.reminders += 1;
      break;
    case 'report.answered':
      delete state.open[id];
      break;
  }
  return state;
}

export function answer(state, input) {
  const now = Date.now();
  const rows = Object.entries(state.open as Record<string, Open>)
    .map(([report, { since, airport, priority, due_at, reminders }]) => ({
      report,
      priority,
      airport,
      due_at,
      hours_left: due_at === null ? null : hoursBetween(now, Date.parse(due_at)),
      hours_open: hoursBetween(Date.parse(since), now),
      reminders,
    }))
    .filter((row) => input.priority === undefined || row.priority === input.priority)
    .filter((row) => input.airport === undefined || row.airport === input.airport)
    .filter((row) => input.overdue !== true || (row.hours_left !== null && row.hours_left < 0))
    .toSorted((a, b) => urgency(a) - urgency(b) || b.hours_open - a.hours_open);
  return { columns, rows: rows.slice(0, input.top ?? 100) };
}

/** Sorted by due time; reports without one come last. */
function urgency({ hours_left }: { hours_left: number | null }): number {
  return hours_left ?? Number.MAX_VALUE;
}

function hoursBetween(from: number, to: number): number {
  return Math.round((to - from) / 360_000) / 10;
}

/** A time as ISO 8601 in UTC; null if it cannot be parsed, such as a leap second. */
function timeOf(value: unknown): string | null {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
