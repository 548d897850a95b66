// Tool servers: what they answer, list and send of their own accord, and the searches over them.
import type { HostileCase, Target } from '../hostile-case.ts';
import { TOOL_ANSWERS } from '../tool-server.ts';
import { OPENAPI_DOCUMENTS } from './openapi-documents.ts';

const SHORT = new Set(['text-of-json', 'parts-100000', 'keys-250000', 'empty-objects-1000000']);

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

export const CALL_CASES: readonly HostileCase[] = [...answers, ...inRuns, ...lists];
