export const description = 'Counts the published events of each day by their type.';

export const input = {
  type: 'object',
  additionalProperties: false,
  properties: { day: { type: 'string', format: 'date', description: 'The day in UTC. Default: yesterday.' } },
};
export const output = {
  type: 'object',
  required: ['day', 'counts'],
  properties: { day: { type: 'string' }, counts: { type: 'object', additionalProperties: { type: 'integer' } } },
};
export const reads = [{ events: {} }];
export const initial = { days: {} };
export const examples = [
  {
    name: 'two orders and a refund',
    events: [
      { type: 'order.placed', time: '2026-01-05T09:00:00Z', data: {} },
      { type: 'order.placed', time: '2026-01-05T17:30:00Z', data: {} },
      { type: 'order.refunded', time: '2026-01-05T18:00:00Z', data: {} },
      { type: 'order.placed', time: '2026-01-06T08:00:00Z', data: {} },
    ],
    input: { day: '2026-01-05' },
    output: { day: '2026-01-05', counts: { 'order.placed': 2, 'order.refunded': 1 } },
  },
];

/** Days that are kept. */
const MOST_DAYS = 31;
const DAY = 86_400_000;

export function evolve(state, event) {
  const { type, time } = event.event;
  const day = time.slice(0, 10);
  state.days[day] ??= {};
  state.days[day][type] = (state.days[day][type] ?? 0) + 1;
  const days = Object.keys(state.days).toSorted();
  if (days.length > MOST_DAYS) delete state.days[days[0]];
  return state;
}

export function answer(state, input) {
  const day = input.day ?? new Date(Date.now() - DAY).toISOString().slice(0, 10);
  return { day, counts: state.days[day] ?? {} };
}
