export const description =
  'Counts, for each day, reports received, answered in time, answered late, and still open in the evening.';

export const input = {
  type: 'object',
  additionalProperties: false,
  properties: {
    days: { type: 'integer', minimum: 1, maximum: 366, default: 30, description: 'Number of days, up to today.' },
  },
};

export const output = { shape: 'series' };

export const reads = [
  { events: { type: 'report.received' } },
  { events: { type: 'report.ranked' } },
  { events: { type: 'report.answered' } },
];

export const initial = { days: {}, open: {} };

/** The number of days in the view; older days are dropped. */
const MOST_DAYS = 400;
const DAY = 86_400_000;

export const examples = [
  {
    name: 'Two days with three reports',
    events: [
      { id: '1', source: '/tower', type: 'report.received', time: '2025-12-30T09:00:00Z', data: { id: 'WS-1' } },
      {
        id: '2',
        source: '/office',
        type: 'report.ranked',
        time: '2025-12-30T09:00:01Z',
        data: { report: 'WS-1', due_at: '2025-12-30T10:00:00.000Z' },
      },
      {
        id: '3',
        source: '/office',
        type: 'report.answered',
        time: '2025-12-30T09:30:00Z',
        data: { report: 'WS-1', by: 'Ada' },
      },
      { id: '4', source: '/tower', type: 'report.received', time: '2025-12-30T22:00:00Z', data: { id: 'WS-2' } },
      {
        id: '5',
        source: '/office',
        type: 'report.ranked',
        time: '2025-12-30T22:00:01Z',
        data: { report: 'WS-2', due_at: '2025-12-30T23:00:00.000Z' },
      },
      { id: '6', source: '/tower', type: 'report.received', time: '2025-12-31T08:00:00Z', data: { id: 'WS-3' } },
      {
        id: '7',
        source: '/office',
        type: 'report.answered',
        time: '2025-12-31T09:00:00Z',
        data: { report: 'WS-2', by: 'Bo' },
      },
    ],
    input: { days: 3 },
    output: {
      unit: 'reports',
      lines: [
        {
          name: 'Received',
          points: [
            { at: '2025-12-30', value: 2 },
            { at: '2025-12-31', value: 1 },
            { at: '2026-01-01', value: 0 },
          ],
        },
        {
          name: 'Answered in time',
          points: [
            { at: '2025-12-30', value: 1 },
            { at: '2025-12-31', value: 0 },
            { at: '2026-01-01', value: 0 },
          ],
        },
        {
          name: 'Answered late',
          points: [
            { at: '2025-12-30', value: 0 },
            { at: '2025-12-31', value: 1 },
            { at: '2026-01-01', value: 0 },
          ],
        },
        {
          name: 'Open in the evening',
          points: [
            { at: '2025-12-30', value: 1 },
            { at: '2025-12-31', value: 1 },
            { at: '2026-01-01', value: 1 },
          ],
        },
      ],
    },
  },
];

interface Day {
  received: number;
  in_time: number;
  late: number;
}

export function evolve(state, event) {
  const { type, time, data } = event.event;
  const id = type === 'report.received' ? data?.id : data?.report;
  if (typeof id !== 'string') return state;
  const isOpen = Object.hasOwn(state.open, id);
  if (type === 'report.received' && !isOpen) {
    // The due time is known once the report is ranked.
    state.open[id] = null;
    dayOf(state, time).received += 1;
  }
  if (type === 'report.ranked' && isOpen && typeof data.due_at === 'string') state.open[id] = data.due_at;
  if (type === 'report.answered' && isOpen) {
    const due = state.open[id];
    const isLate = due !== null && Date.parse(time) > Date.parse(due);
    dayOf(state, time)[isLate ? 'late' : 'in_time'] += 1;
    delete state.open[id];
  }
  return state;
}

export function answer(state, input) {
  const today = Math.floor(Date.now() / DAY);
  const days = Array.from({ length: input.days ?? 30 }, (_, index) => dateOf(today - index)).toReversed();
  const counted = (day: string): Day => state.days[day] ?? { received: 0, in_time: 0, late: 0 };
  // Counted backwards: the reports that are open now, minus those received since and plus those answered since.
  let open = Object.keys(state.open).length;
  for (const [day, { received, in_time, late }] of Object.entries(state.days as Record<string, Day>)) {
    if (day > (days.at(-1) ?? '')) open -= received - in_time - late;
  }
  const evenings: { at: string; value: number }[] = [];
  for (const at of days.toReversed()) {
    evenings.unshift({ at, value: open });
    const { received, in_time, late } = counted(at);
    open -= received - in_time - late;
  }
  const line = (name: string, value: (day: Day) => number) => ({
    name,
    points: days.map((at) => ({ at, value: value(counted(at)) })),
  });
  return {
    unit: 'reports',
    lines: [
      line('Received', ({ received }) => received),
      line('Answered in time', ({ in_time }) => in_time),
      line('Answered late', ({ late }) => late),
      { name: 'Open in the evening', points: evenings },
    ],
  };
}

/** The counts of the day (in UTC) of a time. The oldest day is dropped when there are too many. */
function dayOf(state: { days: Record<string, Day> }, time: string): Day {
  // Programs cannot parse a leap second; the time of recording counts instead.
  const date = dateOf(Math.floor((Date.parse(time) || Date.now()) / DAY));
  state.days[date] ??= { received: 0, in_time: 0, late: 0 };
  const dates = Object.keys(state.days);
  if (dates.length > MOST_DAYS) {
    const [oldest = date] = dates.toSorted();
    if (oldest !== date) delete state.days[oldest];
  }
  return state.days[date];
}

function dateOf(day: number): string {
  return new Date(day * DAY).toISOString().slice(0, 10);
}
