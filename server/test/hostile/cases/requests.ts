// Requests: bodies, events, reads, and the endpoint of agents.
import type { HostileCase, Target } from '../hostile-case.ts';
import { repeated } from './documents/fill.ts';

const keys = (count: number, value = '1'): string =>
  `{${Array.from({ length: count }, (_, index) => `"k${index}":${value}`).join(',')}}`;

/** Bodies of at most 1 MiB, by name: sent to where events are published, and in place of an input. */
const BODIES: [string, string, boolean?][] = [
  ['500,000 opening brackets', '['.repeat(500_000), true],
  ['500,000 pairs of brackets', repeated('[', 500_000, '', ']')],
  ['200,000 objects in each other', repeated('{"a":', 150_000, '1', '}')],
  ['80,000 keys', keys(80_000), true],
  ['69,000 keys', keys(69_000), true],
  ['121,000 lists in each other', repeated('[', 121_000, '', ']')],
  ['236 lists of 510 levels', `[${Array.from({ length: 236 }, () => repeated('[', 510, '', ']')).join(',')}]`],
  ['80,000 equal keys', `{${'"k":1,'.repeat(150_000)}"k":1}`],
  ['keys that are escaped', `{${Array.from({ length: 60_000 }, (_, index) => `"\\u006b${index}":1`).join(',')}}`],
  ['a million commas', ','.repeat(1_000_000)],
  ['a million spaces', ' '.repeat(1_000_000)],
  ['a million digits', '1'.repeat(1_000_000)],
  ['a number of a million digits behind a point', `1.${'1'.repeat(1_000_000)}`],
  ['exponents', `[${'1e308,'.repeat(140_000)}1]`],
  ['a text of a million quotes', `"${'\\"'.repeat(500_000)}"`],
  ['lone surrogates', `["${'\\ud800'.repeat(160_000)}"]`, true],
  ['300,000 empty lists', `[${'[],'.repeat(300_000)}[]]`],
  ['300,000 empty texts', `[${'"",'.repeat(300_000)}""]`],
  ['names of prototypes', keys(20_000, '{"__proto__":{"constructor":{"prototype":1}}}')],
  ['one key of a megabyte', `{"${'k'.repeat(1_000_000)}":1}`],
  ['a byte that is no UTF-8', `"${'ÿ'.repeat(400_000)}"`],
];

const bodies = BODIES.flatMap(([name, body, isShort = false]): HostileCase[] => [
  { name: `a body: ${name}`, isShort, run: ({ send, at }) => send('POST', `${at}/events`, body) },
  {
    name: `an input: ${name}`,
    run: ({ send, at }) => send('POST', `${at}/definitions/computation/honest/run`, `{"input":${body}}`),
  },
]);

const publish = ({ send, at }: Target, data: string, more = '') =>
  send('POST', `${at}/events`, `{"event":{"source":"/hostile","type":"hostile"${more},"data":${data}}}`);

const events: HostileCase[] = [
  { name: 'an event that nests 510 levels', run: (target) => publish(target, repeated('[', 509, '1', ']')) },
  { name: 'an event of 20,000 keys', isShort: true, run: (target) => publish(target, keys(18_000)) },
  { name: 'an event of 240 KiB of quotes', run: (target) => publish(target, `"${'\\"'.repeat(119_000)}"`) },
  { name: 'an event of control characters', run: (target) => publish(target, `"${'\\u0001'.repeat(39_000)}"`) },
  {
    name: 'an event with 10,000 extensions',
    run: (target) => publish(target, '1', Array.from({ length: 10_000 }, (_, index) => `,"x${index}":1`).join('')),
  },
  {
    name: '200 events at once',
    isShort: true,
    run: (target) => Promise.all(Array.from({ length: 200 }, () => publish(target, keys(200)))),
  },
  {
    name: 'the same event 100 times',
    run: (target) => Promise.all(Array.from({ length: 100 }, () => publish(target, keys(2000), ',"id":"same"'))),
  },
];

const reads: HostileCase[] = [
  {
    name: 'analytics of 90 days',
    isShort: true,
    run: ({ send, at }) => Promise.all(Array.from({ length: 20 }, () => send('GET', `${at}/analytics?days=90`))),
  },
  {
    name: 'pages of 100 events',
    run: ({ send, at }) => Promise.all(Array.from({ length: 20 }, () => send('GET', `${at}/events?limit=100`))),
  },
  {
    name: 'pages of 100 runs',
    run: ({ send, at }) => Promise.all(Array.from({ length: 20 }, () => send('GET', `${at}/runs?limit=100`))),
  },
  { name: 'a cursor of nonsense', run: ({ send, at }) => send('GET', `${at}/events?cursor=${'A'.repeat(8000)}`) },
  { name: 'a time of nonsense', run: ({ send, at }) => send('GET', `${at}/events?since=${'2026-01-01T'.repeat(700)}`) },
  { name: 'a filter of many letters', run: ({ send, at }) => send('GET', `${at}/events?type=${'a'.repeat(8000)}`) },
  { name: '1,000 query parameters', run: ({ send, at }) => send('GET', `${at}/runs?${'a=1&'.repeat(2000)}`) },
  { name: 'a path of 1,000 parts', run: ({ send, at }) => send('GET', `${at}${'/a'.repeat(4000)}`) },
  { name: 'a path of escapes', run: ({ send, at }) => send('GET', `${at}/runs/${'%2e%2e%2f'.repeat(800)}`) },
  {
    name: 'the OpenAPI document 50 times',
    run: ({ send }) => Promise.all(Array.from({ length: 50 }, () => send('GET', '/v1/openapi.json'))),
  },
  { name: 'an export', run: ({ send, at }) => send('GET', `${at}/export`) },
  { name: 'models of a provider', run: ({ send }) => send('GET', `/v1/orgs/local/models?provider=${'a'.repeat(32)}`) },
  {
    name: '50 streams of events',
    async run(target) {
      const streams = Promise.all(Array.from({ length: 50 }, () => target.send('GET', `${target.at}/events/follow`)));
      for (let index = 0; index < 20; index += 1) await publish(target, keys(2000));
      await streams;
    },
  },
];

const ENDPOINT = '/orgs/local/playbooks/desk/mcp';
const MCP = { accept: 'application/json, text/event-stream' };
const message = (method: string, params: string, id = 1): string =>
  `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${params}}`;

const agents: HostileCase[] = [
  {
    name: 'agents: 100 sessions begun',
    isShort: true,
    run: ({ send }) =>
      Promise.all(
        Array.from({ length: 100 }, () =>
          send(
            'POST',
            ENDPOINT,
            message(
              'initialize',
              '{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"h","version":"1"}}',
            ),
            MCP,
          ),
        ),
      ),
  },
  {
    name: 'agents: a list of 10,000 messages',
    run: ({ send }) =>
      send(
        'POST',
        ENDPOINT,
        `[${Array.from({ length: 10_000 }, (_, id) => message('tools/list', '{}', id)).join(',')}]`,
        MCP,
      ),
  },
  {
    name: 'agents: params of 80,000 keys',
    run: ({ send }) => send('POST', ENDPOINT, message('tools/call', keys(70_000)), MCP),
  },
  {
    name: 'agents: arguments of 80,000 keys',
    isShort: true,
    run: ({ send }) =>
      send('POST', ENDPOINT, message('tools/call', `{"name":"run_definition","arguments":${keys(70_000)}}`), MCP),
  },
  {
    name: 'agents: params that nest',
    run: ({ send }) => send('POST', ENDPOINT, message('tools/call', repeated('[', 400_000, '', ']')), MCP),
  },
  {
    name: 'agents: capabilities that nest',
    run: ({ send }) =>
      send(
        'POST',
        ENDPOINT,
        message(
          'initialize',
          `{"protocolVersion":"2025-06-18","capabilities":{"experimental":${repeated('{"a":', 100_000, '{}', '}')}},"clientInfo":{"name":"h","version":"1"}}`,
        ),
        MCP,
      ),
  },
  {
    name: 'agents: a uri of a megabyte',
    run: ({ send }) =>
      send('POST', ENDPOINT, message('resources/read', `{"uri":"guide://${'a'.repeat(900_000)}"}`), MCP),
  },
];

export const REQUEST_CASES: readonly HostileCase[] = [...bodies, ...events, ...reads, ...agents];
