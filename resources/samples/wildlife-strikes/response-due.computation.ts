export const description =
  'Calculates when a report of a given priority must be answered, counting the opening hours of the office.';

export const input = {
  type: 'object',
  required: ['received_at', 'priority'],
  additionalProperties: false,
  properties: {
    received_at: { type: 'string', format: 'date-time', description: 'When the report was received.' },
    priority: {
      enum: ['P1', 'P2', 'P3', 'P4'],
      description: 'P1 is due after 1 hour, day and night; P2, P3 and P4 after 4, 16 and 40 open hours.',
    },
    opens_hour: {
      type: 'integer',
      minimum: 0,
      maximum: 23,
      default: 8,
      description: 'Hour at which the office opens.',
    },
    closes_hour: {
      type: 'integer',
      minimum: 1,
      maximum: 24,
      default: 17,
      description: 'Hour at which the office closes; later than it opens.',
    },
    utc_offset_minutes: {
      type: 'integer',
      minimum: -840,
      maximum: 840,
      default: 0,
      description: 'Offset of local time from UTC; the same for the whole period.',
    },
    closed_on: {
      type: 'array',
      maxItems: 60,
      items: { type: 'string', format: 'date' },
      description: 'Local days, in addition to Saturdays and Sundays, on which the office is closed.',
    },
  },
};

export const output = {
  type: 'object',
  required: ['due_at', 'hours', 'counted', 'closed_days'],
  additionalProperties: false,
  properties: {
    due_at: { type: 'string', format: 'date-time', description: 'When the answer is due, in UTC.' },
    hours: { type: 'integer', description: 'Hours that the priority allows.' },
    counted: { enum: ['all hours', 'open hours'], description: 'Which hours were counted.' },
    closed_days: {
      type: 'array',
      items: { type: 'string', format: 'date' },
      description: 'Local days that were skipped because the office is closed.',
    },
  },
};

export const examples = [
  {
    name: 'Friday afternoon, over a weekend and a holiday',
    input: {
      received_at: '2002-05-24T22:30:00Z',
      priority: 'P2',
      utc_offset_minutes: -420,
      closed_on: ['2002-05-27'],
    },
    output: {
      due_at: '2002-05-28T17:30:00.000Z',
      hours: 4,
      counted: 'open hours',
      closed_days: ['2002-05-25', '2002-05-26', '2002-05-27'],
    },
  },
  {
    name: 'The most urgent reports do not wait for the office to open',
    input: { received_at: '2002-05-25T03:15:00Z', priority: 'P1' },
    output: { due_at: '2002-05-25T04:15:00.000Z', hours: 1, counted: 'all hours', closed_days: [] },
  },
];

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const HOURS: Record<string, number> = { P1: 1, P2: 4, P3: 16, P4: 40 };

export default function (input) {
  const hours = HOURS[input.priority] ?? 40;
  const received = Date.parse(input.received_at);
  if (input.priority === 'P1') {
    return { due_at: iso(received + hours * HOUR), hours, counted: 'all hours', closed_days: [] };
  }

  const opens = (input.opens_hour ?? 8) * HOUR;
  const closes = (input.closes_hour ?? 17) * HOUR;
  if (closes <= opens) throw new Error('The office must close later than it opens.');
  const offset = (input.utc_offset_minutes ?? 0) * MINUTE;
  const holidays = new Set<string>(input.closed_on ?? []);

  // Local time is UTC shifted by the offset, so that a day begins at a multiple of 24 hours. The loop ends: an office is open
  // at least an hour on all but 60 of the weekdays.
  const closed_days: string[] = [];
  let now = received + offset;
  let left = hours * HOUR;
  for (;;) {
    const midnight = Math.floor(now / DAY) * DAY;
    const day = iso(midnight).slice(0, 10);
    if (isWeekend(midnight) || holidays.has(day)) {
      closed_days.push(day);
    } else {
      const from = Math.max(now, midnight + opens);
      const open = Math.max(0, midnight + closes - from);
      if (left <= open) return { due_at: iso(from + left - offset), hours, counted: 'open hours', closed_days };
      left -= open;
    }
    now = midnight + DAY;
  }
}

function isWeekend(time: number): boolean {
  const weekday = new Date(time).getUTCDay();
  return weekday === 0 || weekday === 6;
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
