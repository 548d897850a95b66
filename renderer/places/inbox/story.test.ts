import { expect, test } from 'vitest';
import type { EventRecord } from '../../../shared/api/index.ts';
import { deliveryWords, requestStateOf, type Story, storyOf, tookAnswer } from './story.ts';

const event = (type: string, data: EventRecord['data'] = {}): EventRecord => ({
  id: crypto.randomUUID(),
  type,
  summary: '',
  data,
  metadata: {
    stream: 'run',
    position: 1,
    global_position: 1,
    correlation_id: null,
    causation_id: null,
    at: '2026-01-01T00:00:00.000Z',
    by: 'developer',
  },
});
const asked = (delivery: { server: string; tool: string } | null = null) =>
  event('interaction_requested', { to: 'ada', takes_answer: true, delivery });

function storyFrom(...events: EventRecord[]): Story {
  const story = storyOf(events);
  if (story === undefined) throw new Error('No request was put.');
  return story;
}

test.each([
  ['open', [asked()], 'started'],
  ['cancelling', [asked(), event('run_cancel_requested')], 'started'],
  ['answered', [asked(), event('request_answered'), event('run_succeeded')], 'succeeded'],
  ['ended', [asked(), event('run_rejected')], 'rejected'],
  ['notice', [event('interaction_requested', { takes_answer: false })], 'succeeded'],
] as const)('a request is %s by what its run recorded', (state, events, status) => {
  expect(requestStateOf(storyFrom(...events), status)).toBe(state);
});

test('a run without a request has no story', () => {
  expect(storyOf([event('run_started'), event('tool_call_started')])).toBeUndefined();
});

test('after several attempts, the last request counts', () => {
  const story = storyFrom(asked(), event('request_answered'), event('run_started'), asked());
  expect(requestStateOf(story, 'started')).toBe('open');
});

test('answers are compared by value, in any order of members', () => {
  const story = storyFrom(asked(), event('request_answered', { answer: { approved: true, note: 'x' } }));
  expect(tookAnswer(story, { note: 'x', approved: true })).toBe(true);
  expect(tookAnswer(story, { note: 'x', approved: false })).toBe(false);
  expect(tookAnswer(storyFrom(asked()), null)).toBe(false);
  expect(tookAnswer(storyFrom(asked(), event('request_answered', { answer: null })), null)).toBe(true);
});

test('the delivery text follows the last delivery event', () => {
  const chat = asked({ server: 'chat', tool: 'post' });
  const failed = event('delivery_failed', { because: 'timed_out' });
  const words = (story: Story, status = 'started') => deliveryWords(story, status);
  expect(words(storyFrom(asked()))).toBe('Inbox');
  expect(words(storyFrom(chat))).toBe('To be delivered by chat/post');
  expect(words(storyFrom(chat, failed))).toBe('Retrying soon through chat/post');
  expect(words(storyFrom(chat, failed, event('delivery_started')))).toBe('Being delivered by chat/post');
  expect(words(storyFrom(chat, failed, event('delivery_succeeded')))).toBe('Delivered by chat/post');
  expect(words(storyFrom(chat, event('delivery_failed', { gave_up: true })))).toBe('Not delivered by chat/post');
  expect(words(storyFrom(chat, event('delivery_refused')))).toBe('Not delivered by chat/post');
  expect(words(storyFrom(chat, failed), 'succeeded')).toBe('Not delivered by chat/post');
  expect(words(storyFrom(chat), 'rejected')).toBe('Not delivered by chat/post');
});
