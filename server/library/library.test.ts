import { afterEach, beforeEach, expect, test } from 'vitest';
import { createClient, CuebookError } from './client.ts';
import { temporaryFolder } from '../test/index.ts';
import * as library from './index.ts';
import type * as published from './published.ts';

/** Fails to compile if the package lacks something that its types have. */
const { createCuebook, SettingsError, UnusableStoreError }: typeof published = library;

const SOURCE = 'export const input = { type: "object" }; export default ({ n }) => ({ twice: n * 2 });';
const AT = { playbook: 'sums', type: 'computation', name: 'twice' } as const;

let folder: ReturnType<typeof temporaryFolder>;
let settings: Record<string, string>;
beforeEach(() => {
  folder = temporaryFolder();
  settings = { DATA_DIR: folder.path, LOG_LEVEL: 'silent' };
});
afterEach(() => folder.remove());

test('given a folder, when a program starts Cuebook, then its client defines, runs and follows', async () => {
  const cuebook = await createCuebook({ settings });
  const { client } = cuebook;
  const ended = new AbortController();
  try {
    await client.call('create_playbook', { playbook: 'sums', name: 'Sums' });
    const events = await client.follow('follow_events', { playbook: 'sums' }, ended.signal);
    await client.call('create_definition', { ...AT, source: SOURCE });
    const run = await client.call('run_definition', { ...AT, input: { n: 21 } });
    expect(run).toMatchObject({ status: 'succeeded', output: { twice: 42 } });
    for await (const event of events) {
      expect(event).toHaveProperty('type');
      break;
    }
  } finally {
    ended.abort();
    await cuebook.close();
    await cuebook.close();
  }
  await expect(client.call('list_playbooks', {})).rejects.toThrow('fetch failed');
});

test('given a problem, then the client throws it with its document', async () => {
  const cuebook = await createCuebook({ settings });
  try {
    const unknown = cuebook.client.call('get_playbook', { playbook: 'none' });
    await expect(unknown).rejects.toBeInstanceOf(CuebookError);
    await expect(unknown).rejects.toMatchObject({
      problem: { status: 404, type: expect.stringMatching(/not-found$|not_found$/) },
    });
  } finally {
    await cuebook.close();
  }
});

test('given an invalid setting or a folder that is in use, then it says so and listens nowhere', async () => {
  await expect(createCuebook({ settings: { ...settings, PORT: 'many' } })).rejects.toBeInstanceOf(SettingsError);
  const cuebook = await createCuebook({ settings });
  try {
    await expect(createCuebook({ settings })).rejects.toBeInstanceOf(UnusableStoreError);
  } finally {
    await cuebook.close();
  }
});

test('the client presents its key, and reports an answer that is not of Cuebook', async () => {
  const sent: [string, RequestInit][] = [];
  const client = createClient({
    address: 'https://cuebook.example.com/',
    key: async () => 'abk_x_y',
    org: 'acme',
    async fetch(url, init) {
      sent.push([url, init]);
      return new Response('Bad gateway', { status: 502 });
    },
  });
  await expect(client.call('list_playbooks', {})).rejects.toThrow('https://cuebook.example.com returned 502');
  expect(sent).toMatchObject([
    [
      'https://cuebook.example.com/v1/orgs/acme/playbooks',
      { headers: { authorization: 'Bearer abk_x_y' }, redirect: 'error' },
    ],
  ]);
});
