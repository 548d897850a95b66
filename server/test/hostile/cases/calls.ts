// Tool servers: what they answer, list and send of their own accord, and the searches over them.
import type { HostileCase, Target } from '../hostile-case.ts';
import { TOOL_ANSWERS } from '../tool-server.ts';
import { OPENAPI_DOCUMENTS } from './openapi-documents.ts';

const SHORT = new Set(['text-of-json', 'parts-100000', 'keys-250000', 'empty-objects-1000000']);

const MCP = { accept: 'application/json, text/event-stream' };

const execute = ({ send, at }: Target, server: string, tool: string) =>
  send('POST', `${at}/tool-servers/${server}/tools/${tool}/execute`, {});

const search = ({ send, at }: Target, query: string) => send('GET', `${at}/tool-servers/search?${query}`);

const answers = Object.keys(TOOL_ANSWERS).map(
  (tool): HostileCase => ({
    name: `a tool's answer: ${tool}`,
    isShort: SHORT.has(tool),
    run: (target) => execute(target, 'answers', tool),
  }),
);

/** A tool's answer as a workflow's step and as an interaction's output. */
const inRuns: HostileCase[] = ['keys-250000', 'text-of-json', 'numbers-1500000'].flatMap((tool): HostileCase[] => [
  {
    name: `a tool's answer in a workflow: ${tool}`,
    async run({ send, at, newName }) {
      const name = newName();
      const source = `document: { dsl: '1.0.3', namespace: desk, name: h, version: 1.0.0 }\ndo:\n- a: { call: tool, with: { tool: answers/${tool} } }\n- b: { set: '\${ [.. | numbers] | add }' }\n`;
      await send('POST', `${at}/definitions/workflow`, { name, source });
      await send('POST', `${at}/definitions/workflow/${name}/run`, {});
    },
  },
  {
    name: `a tool's answer in an interaction: ${tool}`,
    async run({ send, at, newName }) {
      const name = newName();
      await send('POST', `${at}/definitions/interaction`, { name, source: `call: { tool: answers/${tool} }\n` });
      await send('POST', `${at}/definitions/interaction/${name}/run`, {});
    },
  },
]);

/** A tool's answer as the event that recorded it, read in full over HTTP and by an agent. */
const inEvents: HostileCase[] = ['keys-250000', 'numbers-1500000', 'text-of-emoji'].map((tool) => ({
  name: `an event in full: ${tool}`,
  async run(target) {
    const { send, at } = target;
    await execute(target, 'recorded', tool);
    const { body } = await send('GET', `${at}/events?type=tool_call_answered&limit=1`);
    const [event] = (JSON.parse(body) as { events: { id: string }[] }).events;
    await send('GET', `${at}/events/${event?.id}`);
    const params = { name: 'get_event', arguments: { event_id: event?.id } };
    await send('POST', '/orgs/local/playbooks/desk/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, MCP);
    const uri = `cuebook://local/playbooks/desk/events/${event?.id}?part=/data/result`;
    const reading = { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } };
    await send('POST', '/orgs/local/playbooks/desk/mcp', reading, MCP);
  },
}));

const lists: HostileCase[] = [
  { name: 'a list of 2,000 tools', isShort: true, run: (target) => search(target, 'server=many') },
  {
    name: 'eight words over 2,000 tools',
    isShort: true,
    run: (target) =>
      search(
        target,
        `server=many&terms=${encodeURIComponent(Array.from({ length: 8 }, (_, index) => `argument_${index}_of_1_${'x'.repeat(30)}`).join(' '))}`,
      ),
  },
  { name: 'words of separators', run: (target) => search(target, `terms=${'._-'.repeat(21)}`) },
  { name: 'words that split at every letter', run: (target) => search(target, `terms=${'aB'.repeat(32)}`) },
  { name: 'every tool server at once', run: (target) => search(target, 'only=read') },
  ...OPENAPI_DOCUMENTS.map(
    ({ name }): HostileCase => ({
      name: `an OpenAPI document: ${name}`,
      isShort: ['api-references', 'api-dense', 'api-yaml-keys'].includes(name),
      run: (target) => search(target, `server=${name}`),
    }),
  ),
  {
    name: 'the schema of a tool that refers to all others',
    isShort: true,
    run: ({ send, at }) => send('GET', `${at}/tool-servers/api-references/tools/op0`),
  },
  {
    name: 'arguments against a schema that refers to all others',
    run: ({ send, at }) =>
      send('POST', `${at}/tool-servers/api-references/tools/op0/validate`, { arguments: { body: {} } }),
  },
  {
    name: 'a flood of list changes',
    isShort: true,
    run: (target) => Promise.all([execute(target, 'flood', 'act'), search(target, 'server=flood')]),
  },
];

export const CALL_CASES: readonly HostileCase[] = [...answers, ...inRuns, ...inEvents, ...lists];
