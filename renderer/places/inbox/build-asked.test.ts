import { expect, test } from 'vitest';
import type { EventRecord } from '../../../shared/api/index.ts';
import { buildAsked, requestInput } from './build-asked.ts';

const AT = '/v1/orgs/local/playbooks/desk/runs';
const INPUT = { function: 'tickets', run_id: 'b1', brief_url: 'https://elsewhere.example/', rows_url: 'x' };

function eventWith(input?: object): EventRecord {
  return { data: { input } } as EventRecord;
}

test('the request of a build has the input of a trainer', () => {
  expect(requestInput(eventWith(INPUT), eventWith({ build: {} }))).toEqual(INPUT);
});

test('an interaction that a build called was started with it', () => {
  expect(requestInput(eventWith(), eventWith(INPUT))).toEqual(INPUT);
});

test('what a trainer reads has the addresses of this service', () => {
  expect(buildAsked('desk', INPUT)).toEqual({
    runId: 'b1',
    briefUrl: `${AT}/b1/build/brief`,
    rowsUrl: `${AT}/b1/build/rows`,
  });
});

test('any other request asks for no build', () => {
  expect(buildAsked('desk', { run_id: 'b1' })).toBeUndefined();
  expect(buildAsked('desk', undefined)).toBeUndefined();
});
