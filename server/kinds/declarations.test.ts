import { expect, test } from 'vitest';
import { eventsOfReads, misspellingsOf, nearestDefinition } from './declarations.ts';

test('a missing definition is most likely one with a similar name, or the same name with another type', () => {
  const known = ['computation/score', 'recall/open-tickets', 'computation/rank'];
  expect(nearestDefinition(known, 'computation', 'scores')).toBe('computation/score');
  expect(nearestDefinition(known, 'computation', 'open-tickets')).toBe('recall/open-tickets');
  expect(nearestDefinition(known, 'computation', 'refund')).toBeUndefined();
});

test('a misspelt event type is similar in each of its parts', () => {
  const misspelt = misspellingsOf(['ticket.opened', 'order.paid']);
  expect(misspelt('ticket.opend')).toBe('ticket.opened');
  expect(misspelt('tickets_opened')).toBe('ticket.opened');
  for (const other of ['ticket.opened', 'ticket.closed', 'ticket.opened.twice', 'order.sent']) {
    expect(misspelt(other)).toBeUndefined();
  }
});

test('a filter of a recall function without a type reads events of any type', () => {
  expect(eventsOfReads([{ events: { type: 'a' } }, { runs: { subject: 'workflow/b' } }])).toEqual({
    emits: [],
    receives: ['a'],
  });
  expect(eventsOfReads([{ events: { source: '/x' } }])).toMatchObject({ receivesAny: true });
});
