import { cpSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import { createSchemaChecker } from '../../lib/schemas/index.ts';
import { SAMPLE_FOLDER } from '../../runtime/resources.ts';
import { startServer, type TestServer } from '../../test/index.ts';
import { askForAnswer } from './ask-answer.ts';
import { type CommandLine, createCommandLine } from './cuebook.testing.ts';

const AT = '/v1/orgs/local/playbooks/desk';
const ANSWER = {
  type: 'object',
  required: ['approved'],
  properties: { approved: { type: 'boolean' }, note: { type: 'string', maxLength: 5 } },
};
let server: TestServer;
let line: CommandLine;

beforeAll(async () => {
  server = await startServer();
  line = createCommandLine();
  await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
  const source = JSON.stringify({ ask: { to: '{{ input.owner }}', message: 'May we?\nReally?', answer: ANSWER } });
  await server.post(`${AT}/definitions/interaction`, { name: 'may-we', source });
});
afterAll(async () => {
  await server.close();
  line.remove();
});

const inbox = (...args: string[]) => line.cuebook(['inbox', '--server', server.address, ...args]);
const ask = async (owner: string): Promise<string> =>
  (await server.post(`${AT}/definitions/interaction/may-we/run`, { input: { owner } })).body.run_id;

test('open requests are listed, shown and answered as text, also without a terminal', async () => {
  const id = await ask('ada');
  await ask('lin');
  const all = await inbox();
  expect(all).toMatchObject({ code: 0, stdout: expect.stringContaining('1. asks lin: May we?') });
  expect(all.stdout).toContain(`   desk ${id}  interaction/may-we, in the inbox, expires `);
  const own = await inbox('desk', '--to', 'ada', '--json');
  expect(JSON.parse(own.stdout)).toMatchObject([{ playbook: 'desk', run_id: id, to: 'ada' }]);
  const shown = await inbox('desk', id);
  expect(shown.stdout).toContain('  Really?');
  expect(shown.stdout).toContain('Answer: approved (yes or no), note (text, optional)');

  expect(await inbox('desk', id, '--answer', 'perhaps')).toMatchObject({
    code: 1,
    stderr: 'The answer must be yes or no. Fields of the answer: approved (yes or no), note (text, optional).\n',
  });
  const answered = await inbox('desk', id, '--answer', 'yes', '--for', 'Ada', '--json');
  expect(JSON.parse(answered.stdout)).toMatchObject({ answer: { approved: true }, claimed_for: 'Ada' });
  expect((await server.get(`${AT}/runs/${id}`)).body.output).toEqual({ approved: true });
  expect(await inbox('desk', id)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('has no open question. It succeeded. Its answer is {"approved":true}.'),
  });
  expect(await inbox('desk', id, '--answer', 'yes')).toMatchObject({
    code: 0,
    stdout: 'Answered: {"approved":true}\n',
  });
  expect(await inbox('desk', id, '--answer', 'no')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('{"approved":true}'),
  });
  expect(await inbox('--answer', 'yes')).toMatchObject({ code: 2 });
}, 60_000);

test('an empty inbox prints a sentence', async () => {
  await server.post('/v1/orgs/local/playbooks', { playbook: 'calm', name: 'Calm' });
  expect(await inbox('calm')).toMatchObject({ code: 0, stdout: 'There are no open requests.\n' });
}, 60_000);

test('the sample asks for approval inside a workflow, and continues once it is answered', async () => {
  // `apply` writes a file beside those that it reads.
  const sample = path.join(line.folder, 'sample');
  cpSync(SAMPLE_FOLDER, sample, { recursive: true });
  expect(await line.cuebook(['apply', sample, '--server', server.address])).toMatchObject({ code: 0 });
  const at = '/v1/orgs/local/playbooks/wildlife-strikes';
  const input = { id: 'WS-1', phase: 'Climb', size: 'Large', damage: 'Substantial' };
  const { run_id: flow } = (await server.post(`${at}/definitions/workflow/inspect-aircraft/run`, { input })).body;
  const open = async (): Promise<{ run_id: string; message: string }[]> =>
    (await server.get(`${at}/interactions?to=duty-manager`)).body.interactions;
  await expect.poll(open, { timeout: 15_000 }).toHaveLength(1);
  const [request] = await open();
  expect(request?.message).toMatch(
    /^Report WS-1 is ranked P1\.\n\n(- .+\n)+\nShould the aircraft be inspected before it flies again\?\n$/,
  );
  expect((await inbox('wildlife-strikes', flow)).stdout).toContain(
    'interaction/approve-inspection of wildlife-strikes asks',
  );
  const answered = await inbox('wildlife-strikes', flow, '--answer', '{"approved":true,"note":"Left engine."}');
  expect(answered).toMatchObject({ code: 0 });
  expect(await inbox('wildlife-strikes', flow)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('inspect-aircraft'),
  });
  const run = async () => (await server.get(`${at}/runs/${flow}`)).body;
  await expect.poll(async () => (await run()).status, { timeout: 5000 }).toBe('succeeded');
  expect((await run()).output).toMatchObject({ report: 'WS-1', asked: true, inspect: true, note: 'Left engine.' });
}, 60_000);

describe('a person is asked for an answer', () => {
  const schemas = createSchemaChecker();
  afterAll(() => schemas.close());

  async function asked(schema: JsonObject, typed: readonly string[]) {
    const [questions, printed]: [string[], string[]] = [[], []];
    const remaining = [...typed];
    const answer = await askForAnswer(
      schema,
      async (question) => {
        questions.push(question);
        return remaining.shift();
      },
      (sentence) => void printed.push(sentence),
      (of, value) => schemas.compileSchema(of, 'The answer').check(value, ''),
    );
    return { answer, questions, told: printed };
  }

  test('field by field, and again after an invalid value', async () => {
    expect(await asked(ANSWER, ['hm', 'yes', 'too long', 'fine'])).toEqual({
      answer: { approved: true, note: 'fine' },
      questions: [
        'approved, yes or no: ',
        'approved, yes or no: ',
        'note (optional), text: ',
        'note (optional), text: ',
      ],
      told: ['The answer must be yes or no.', 'The answer must have at most 5 characters.'],
    });
  });

  test.each([
    [ANSWER, ['no', ''], { approved: false }],
    [ANSWER, [''], undefined],
    [ANSWER, [], undefined],
    [{ enum: ['low', 'high'] }, ['High'], 'high'],
    [{}, ['{"a":1}'], { a: 1 }],
  ])('%j, %j', async (schema, typed, answer) => {
    expect((await asked(schema as JsonObject, typed)).answer).toEqual(answer);
  });

  test('fields may be named like members of objects', async () => {
    const properties = '{"__proto__":{"type":"string"},"constructor":{"type":"integer"},"hasOwnProperty":{}}';
    const schema = JSON.parse(`{"type":"object","properties":${properties},"required":["__proto__"]}`) as JsonObject;
    const { answer } = await asked(schema, ['x', '2', 'true']);
    expect(JSON.stringify(answer)).toBe('{"__proto__":"x","constructor":2,"hasOwnProperty":true}');
  });
});
