import { expect, test } from 'vitest';
import type { EventRecord } from '../../../shared/api/index.ts';
import { buildAsked } from './build-asked.ts';

const AT = '/v1/orgs/local/playbooks/desk/runs';

function startedWith(input: object): EventRecord {
  return { type: 'run_started', data: { input } } as EventRecord;
}

test('the request of a prediction function is that of its own run', () => {
  expect(buildAsked('desk', { run_id: 'r1', type: 'prediction' }, undefined)).toEqual({
    runId: 'r1',
    briefUrl: `${AT}/r1/build/brief`,
    rowsUrl: `${AT}/r1/build/rows`,
  });
});

test('an interaction that a build called names the run of the build', () => {
  const input = { function: 'tickets', run_id: 'b1', brief_url: 'https://elsewhere.example/', rows_url: 'x' };
  expect(buildAsked('desk', { run_id: 'r1', type: 'interaction' }, startedWith(input))).toMatchObject({
    runId: 'b1',
    briefUrl: `${AT}/b1/build/brief`,
  });
});

test('any other request asks for no build', () => {
  const run = { run_id: 'r1', type: 'interaction' as const };
  expect(buildAsked('desk', run, startedWith({ run_id: 'b1' }))).toBeUndefined();
  expect(buildAsked('desk', run, undefined)).toBeUndefined();
});
