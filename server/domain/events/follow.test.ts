// follow_events over HTTP: each event once and in order, from the place asked for, until one of the two ends it.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openLog } from '../../runtime/open-stores.ts';
import { createHttpServer } from '../../interfaces/http/index.ts';
import { systemClock } from '../../lib/clock.ts';
import { createIds } from '../../kernel/ids.ts';
import type { EventLog } from '../../kernel/log/index.ts';
import { DEVELOPER, makeCallable } from '../../operations/index.ts';
import { createPlaybooks } from '../playbooks/index.ts';
import { readSettings } from '../../settings/index.ts';
import { startServer, temporaryFolder, type TestServer } from '../../test/index.ts';
import { createEvents, createPublishing, eventOperations } from './index.ts';

const DESK = '/v1/orgs/local/playbooks/desk';
const FOLLOW = `${DESK}/events/follow`;

interface Streamed {
  id: string;
  data: { id: string; type: string; data: { event: { id: string } }; metadata: { position: number } };
}

/** A stream as a client reads it. */
interface Following {
  headers: Headers;
  /** The next events, as many as asked for; fewer where the stream ended before. */
  take(count: number): Promise<Streamed[]>;
  /** Goes away. */
  leave(): Promise<void>;
}

/** Settles once the stream has begun: what is recorded after that is on it. */
async function follow(address: string, query = '', headers: Record<string, string> = {}): Promise<Following> {
  const leaving = new AbortController();
  const answer = await fetch(`${address}${FOLLOW}${query}`, { headers, signal: leaving.signal });
  if (answer.body === null || answer.status !== 200) throw new Error(`The stream answered ${answer.status}.`);
  const messages = messagesOf(answer.body);
  expect((await messages.next()).value).toBe('following');
  return {
    headers: answer.headers,
    async take(count) {
      const taken: Streamed[] = [];
      while (taken.length < count) {
        const { done, value } = await messages.next();
        if (done === true) break;
        if (typeof value === 'string') throw new Error(`A comment instead of an event: ${value}`);
        taken.push({ id: value.id ?? '', data: JSON.parse(value.data) as Streamed['data'] });
      }
      return taken;
    },
    async leave() {
      leaving.abort();
      await messages.next().catch(() => undefined);
    },
  };
}

/** Server-sent events, and comments as their text. */
async function* messagesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<EventSourceMessage | string, undefined> {
  const complete: (EventSourceMessage | string)[] = [];
  const parser = createParser({
    onEvent: (event) => complete.push(event),
    onComment: (comment) => complete.push(comment),
  });
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    parser.feed(text);
    yield* complete.splice(0);
  }
  return undefined;
}

const publishedIds = (streamed: readonly Streamed[]): string[] => streamed.map(({ data }) => data.data.event.id);
const numbered = (count: number, from = 0): string[] => Array.from({ length: count }, (_, index) => `e${from + index}`);

describe('a stream of a playbook’s events', () => {
  let server: TestServer;
  let isClosed: boolean;

  beforeEach(async () => {
    isClosed = false;
    server = await startServer();
    await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
    await server.post('/v1/orgs/local/playbooks', { playbook: 'other', name: 'Other' });
  });
  afterEach(async () => {
    if (!isClosed) await server.close();
  });

  const publish = async (id: string, playbook = 'desk'): Promise<void> => {
    const event = { source: '/shop', type: 'order.paid', id };
    const answer = await server.post(`/v1/orgs/local/playbooks/${playbook}/events`, { event });
    expect(answer.status).toBe(200);
  };
  /** Ids of what the playbook has recorded, in its order. */
  const recorded = async (): Promise<string[]> => {
    const { body } = await server.get(`${DESK}/events?order=asc&limit=100`);
    return (body.events as { id: string }[]).map(({ id }) => id);
  };

  test('given many publish at once, then every follower gets each event once, in the order of the list', async () => {
    const followers = await Promise.all([follow(server.address), follow(server.address)]);
    await Promise.all(numbered(90).map((id) => publish(id)));
    const order = await recorded();
    for (const follower of followers) {
      const taken = await follower.take(90);
      expect(taken.map(({ id }) => id)).toEqual(order);
      expect(publishedIds(taken).toSorted()).toEqual(numbered(90).toSorted());
      await follower.leave();
    }
  });

  test('given events before it, then the stream begins with the next one, as get_event shows it in a list', async () => {
    await publish('before');
    const follower = await follow(server.address);
    expect(follower.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(follower.headers.get('cache-control')).toBe('no-store');
    await publish('elsewhere', 'other');
    await publish('behind');
    const [first] = await follower.take(1);
    expect(first?.data).toEqual((await server.get(`${DESK}/events?limit=1`)).body.events[0]);
    expect(first?.id).toBe(first?.data.id);
    expect(publishedIds(first === undefined ? [] : [first])).toEqual(['behind']);
    await follower.leave();
  });

  test('given the same event published again, then it is streamed once', async () => {
    const follower = await follow(server.address);
    for (const id of ['once', 'once', 'last']) await publish(id);
    expect(publishedIds(await follower.take(2))).toEqual(['once', 'last']);
    await follower.leave();
  });

  test('given `after` or Last-Event-ID, then it continues after that event, and the header takes precedence', async () => {
    for (const id of numbered(5)) await publish(id);
    const [first = '', second = '', third = ''] = await recorded();
    for (const [query, headers, from] of [
      [`?after=${first}`, {}, 1],
      ['', { 'last-event-id': second }, 2],
      [`?after=${first}`, { 'last-event-id': third }, 3],
    ] as const) {
      const follower = await follow(server.address, query, headers);
      expect(publishedIds(await follower.take(5 - from))).toEqual(numbered(5 - from, from));
      await follower.leave();
    }
  });

  test('given it resumes while others publish, then nothing is left out or given twice', async () => {
    const first = await follow(server.address);
    const publishing = Promise.all(numbered(60).map((id) => publish(id)));
    const before = await first.take(20);
    await first.leave();
    const second = await follow(server.address, '', { 'last-event-id': before.at(-1)?.id ?? '' });
    const behind = await second.take(40);
    await publishing;
    expect([...before, ...behind].map(({ id }) => id)).toEqual(await recorded());
    await second.leave();
  });

  test('given more than a reading of events behind `after`, then all come, and then the new ones', async () => {
    await Promise.all(numbered(250).map((id) => publish(id)));
    const [oldest = ''] = (await recorded()).slice(0, 1);
    const follower = await follow(server.address, `?after=${oldest}`);
    const taken = await follower.take(249);
    expect(new Set(taken.map(({ id }) => id)).size).toBe(249);
    await publish('new');
    expect(publishedIds(await follower.take(1))).toEqual(['new']);
    await follower.leave();
  });

  test.each([
    ['an event of no playbook', '?after=none', 404, 'not_found'],
    ['an id longer than ids are', `?after=${'x'.repeat(101)}`, 422, 'invalid_input'],
    ['an unknown parameter', '?since=x', 422, 'invalid_input'],
    ['a parameter given twice', '?after=a&after=a', 400, 'bad_request'],
  ])('given %s, then it is a problem and no stream', async (_what, query, status, reason) => {
    expect((await server.get(`${FOLLOW}${query}`)).body).toMatchObject({ status, reason });
  });

  test('given the event of another playbook, or a playbook that is unknown, then it is not_found', async () => {
    await publish('elsewhere', 'other');
    const [event] = (await server.get('/v1/orgs/local/playbooks/other/events')).body.events;
    expect((await server.get(FOLLOW, { 'last-event-id': event.id })).status).toBe(404);
    expect((await server.get(FOLLOW.replace('desk', 'none'))).status).toBe(404);
  });

  test('given a retired playbook, then what it recorded can be followed', async () => {
    for (const id of numbered(2)) await publish(id);
    const [first = ''] = await recorded();
    await server.post(`${DESK}/retire`);
    const follower = await follow(server.address, `?after=${first}`);
    expect(publishedIds(await follower.take(1))).toEqual(['e1']);
    await follower.leave();
  });

  test('given the server closes, then the stream ends whole and closing waits for nothing', async () => {
    const follower = await follow(server.address);
    await publish('last');
    expect(publishedIds(await follower.take(1))).toEqual(['last']);
    isClosed = true;
    await Promise.all([server.close(), follower.take(1).then((taken) => expect(taken).toEqual([]))]);
  });
});

describe('a client that goes away', () => {
  const folder = temporaryFolder();
  const settings = readSettings({ DATA_DIR: path.join(folder.path, 'data'), PORT: '0' });
  mkdirSync(settings.dataDir);

  /** A log that counts its listeners. */
  function countedLog(): { log: EventLog; listeners: () => number; untilNone: () => Promise<void> } {
    const log = openLog(settings, systemClock, (sentence) => {
      throw new Error(sentence);
    });
    let listeners = 0;
    let none = (): void => {};
    const counted: EventLog = {
      ...log,
      onCommit(playbookKey, listen) {
        const stop = log.onCommit(playbookKey, listen);
        listeners += 1;
        return () => {
          listeners -= 1;
          stop();
          if (listeners === 0) none();
        };
      },
    };
    const untilNone = (): Promise<void> => new Promise((resolve) => (listeners === 0 ? resolve() : (none = resolve)));
    return { log: counted, listeners: () => listeners, untilNone };
  }

  test('given it is waiting for the next event, then it no longer listens to the log', async () => {
    const { log, listeners, untilNone } = countedLog();
    const ids = createIds(systemClock);
    const playbooks = createPlaybooks(log, async () => {});
    const events = createEvents(log, createPublishing({ log, clock: systemClock, ids }));
    const playbookKey = { org: 'local', playbook: 'desk' };
    await playbooks.create(playbookKey, { name: 'Desk', description: '' }, 'developer');
    const stopping = new AbortController();
    const app = createHttpServer({
      callables: eventOperations(events, playbooks).map(makeCallable),
      descriptions: {
        openapi: '{}',
        guides: [],
        studio: { page: '', assets: new Map() },
        health: () => ({ status: 'ok', version: '0', mode: 'local', store: 'sqlite' }),
      },
      access: { mode: 'local', identify: () => DEVELOPER },
      browsers: { isAllowedOrigin: () => false },
      ids,
      logger: pino({ level: 'silent' }),
      stopping: stopping.signal,
    });
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    const publish = (id: string): Promise<unknown> =>
      events.publish(playbookKey, { source: '/shop', type: 'order.paid', id }, 'developer', '0'.repeat(32));

    // Given two that follow, one of which has read an event and waits, and one that has read nothing
    const [reader, idle] = await Promise.all([follow(address), follow(address)]);
    await publish('read');
    expect(publishedIds(await reader.take(1))).toEqual(['read']);
    expect(listeners()).toBe(2);

    // When both go away, then neither listens, and recording continues
    await Promise.all([reader.leave(), idle.leave()]);
    await untilNone();
    await publish('unread');

    // And a HEAD, which has no body, never listened
    expect((await fetch(`${address}${FOLLOW}`, { method: 'HEAD' })).status).toBe(200);
    expect(listeners()).toBe(0);

    await app.close();
    await log.close();
    folder.remove();
  });
});
