import { expect, test } from 'vitest';
import type { EventRecord } from '../../../shared/api/index.ts';
import { belowOf } from './use-next-request.ts';
import { firstLine } from './first-line.ts';
import { notificationTitle } from './notifying.ts';
import { answersFor, isFor, partiesOf } from './parties.ts';

test.each([
  ['May we?\nReally?', 'May we?'],
  ['\n\n## Refund\n12 EUR', 'Refund'],
  ['- **Red** crew, `LAX`', 'Red crew, LAX'],
  ['---\n>  12 °C', '12 °C'],
  ['-5 °C outside', '-5 °C outside'],
])('the first line of %j is %j', (message, line) => {
  expect(firstLine(message)).toBe(line);
});

test('a message without text has no first line', () => {
  expect(firstLine('---\n\n')).toBeUndefined();
  expect(firstLine(undefined)).toBeUndefined();
});

test('the inbox shows my parties unless the address asks for everyone', () => {
  expect(partiesOf(undefined, ['ada'])).toEqual(['ada']);
  expect(partiesOf('me', ['ada'])).toEqual(['ada']);
  expect(partiesOf('all', ['ada'])).toEqual([]);
  expect(isFor([], 'lin')).toBe(true);
  expect(isFor(['ada'], 'lin')).toBe(false);
});

test('an answer is given on behalf of the addressed party if it is mine, otherwise of my first party', () => {
  expect(answersFor(['ada', 'lin'], 'lin')).toBe('lin');
  expect(answersFor(['ada', 'lin'], 'duty')).toBe('ada');
  expect(answersFor([], 'duty')).toBeUndefined();
});

test('the entries after an entry are known while the list holds it', () => {
  expect(belowOf(['a', 'b', 'c'], 'b')).toEqual(['c']);
  expect(belowOf(['a', 'b', 'c'], 'c')).toEqual([]);
  expect(belowOf(['a'], 'b')).toBeUndefined();
});

test('a notification names who asks whom, without the question', () => {
  const asked = {
    type: 'interaction_requested',
    data: { to: 'ada', takes_answer: true, message: 'A secret question' },
    metadata: { definition: { type: 'interaction', name: 'approve' } },
  } as unknown as EventRecord;
  expect(notificationTitle(asked, [])).toBe('approve asks ada');
  expect(notificationTitle({ ...asked, data: { ...asked.data, takes_answer: false } }, ['ada'])).toBe(
    'approve notifies ada',
  );
  expect(notificationTitle(asked, ['lin'])).toBeUndefined();
  expect(notificationTitle({ ...asked, type: 'run_started' }, [])).toBeUndefined();
});
