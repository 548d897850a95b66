// Whole playbooks: folders that are applied, exports, archives, lists, and the tools of agents.
import type { DefinitionType } from '../../../../shared/definition-types.ts';
import { sha256 } from '../../../kernel/contents/index.ts';
import type { HostileCase, Target } from '../hostile-case.ts';
import { fill } from './documents/fill.ts';

interface Document {
  type: DefinitionType;
  name: string;
  source: string;
}

const PLAYBOOKS = '/v1/orgs/local/playbooks';
const ENDPOINT_HEADERS = { accept: 'application/json, text/event-stream' };
const MADE_IN_MS = 300_000;
/** As many documents of 64 KiB as a request takes. */
const AT_ONCE = 120;

const apply = ({ send }: Target, playbook: string, documents: readonly Document[], more: object = {}) =>
  send('POST', `${PLAYBOOKS}/${playbook}/apply`, {
    name: playbook,
    definitions: documents.map((one) => ({ ...one, sha256: sha256(one.source) })),
    ...more,
  });

/** Applies the documents a request at a time, unless an earlier case did. */
async function make(target: Target, playbook: string, documents: () => readonly Document[]): Promise<void> {
  if ((await target.send('GET', `${PLAYBOOKS}/${playbook}`)).status === 200) return;
  const all = documents();
  for (let at = 0; at < all.length; at += AT_ONCE) await apply(target, playbook, all.slice(at, at + AT_ONCE));
}

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

const workflow = (index: number): Document => ({
  type: 'workflow',
  name: `w-${index}`,
  source: fill((step) => `- s${step}: { set: { a: ${index} } }\n`, {
    before: "document: { dsl: '1.0.3', namespace: desk, name: hostile, version: 1.0.0 }\ndo:\n",
    most: 45_000,
  }),
});

/** An interaction of nearly 64 KiB, most of it a comment. */
const filled = (index: number): Document => ({
  type: 'interaction',
  name: `i-${index}`,
  source: fill(() => '# A line of a comment, with nothing in it.\n', {
    before: `tell: { to: ada, message: Hello ${index} }\n`,
    most: 65_000,
  }),
});

/** An interaction that is a tool of agents, with 400 fields. */
const exposed = (index: number): Document => ({
  type: 'interaction',
  name: `e-${index}`,
  source: `expose: true\ntell: { to: ada, message: Hello ${index} }\ninput:\n  type: object\n  properties:\n${times(400, (field) => `    field_${field}: { type: string, description: 'The field ${field} of ${index}, as it is.' }\n`).join('')}`,
});

/** An interaction whose answer has 500 fields. */
const asking: Document = {
  type: 'interaction',
  name: 'asks',
  source: `ask:\n  to: ada\n  message: Hello\n  answer:\n    type: object\n    properties:\n${times(500, (field) => `      field_${field}: { type: string, description: 'The field ${field}, as it is.' }\n`).join('')}`,
};

const message = (id: number): object => ({ jsonrpc: '2.0', id, method: 'tools/list', params: {} });

export const PLAYBOOK_CASES: readonly HostileCase[] = [
  {
    name: 'a folder: 60 workflows of 1,500 steps are saved',
    leastMs: MADE_IN_MS,
    run: (target) => make(target, 'steps', () => times(60, workflow)),
  },
  {
    name: 'one workflow more beside 60 of 1,500 steps',
    run: ({ send, newName }) =>
      send('POST', `${PLAYBOOKS}/steps/definitions/workflow`, {
        name: newName(),
        source:
          "document: { dsl: '1.0.3', namespace: desk, name: h, version: 1.0.0 }\ndo:\n- a: { emit: { event: { with: { source: /h, type: h } } } }\n",
      }),
  },
  {
    name: 'a folder: 1,000 small definitions are saved',
    isShort: true,
    run: (target) =>
      apply(
        target,
        target.newName(),
        times(1000, (index) => ({
          type: 'interaction',
          name: `i-${index}`,
          source: `tell: { to: a, message: Hello ${index} }`,
        })),
      ),
  },
  {
    name: 'a playbook of 1,450 documents of 64 KiB is made',
    leastMs: MADE_IN_MS,
    run: (target) => make(target, 'large', () => times(1450, filled)),
  },
  { name: 'an export of 94 MB', run: ({ send }) => send('GET', `${PLAYBOOKS}/large/export`) },
  { name: 'an archive of 94 MB', run: ({ send }) => send('GET', `${PLAYBOOKS}/large/archive`) },
  {
    name: 'one document more for a playbook of 94 MB',
    run: (target) => apply(target, 'large', [filled(2000)], { dry_run: true }),
  },
  { name: 'a list of 1,450 definitions', run: ({ send }) => send('GET', `${PLAYBOOKS}/large/definitions/interaction`) },
  {
    name: 'a playbook of 200 tools with 400 fields is made',
    leastMs: MADE_IN_MS,
    run: (target) => make(target, 'tools', () => times(200, exposed)),
  },
  {
    name: 'a list of 200 definitions with 400 fields',
    run: ({ send }) => send('GET', `${PLAYBOOKS}/tools/definitions/interaction`),
  },
  {
    name: 'agents: ten lists of 200 tools with 400 fields',
    run: ({ send }) => send('POST', '/orgs/local/playbooks/tools/mcp', times(10, message), ENDPOINT_HEADERS),
  },
  {
    name: 'agents: a list of 200 tools with 400 fields',
    run: ({ send }) => send('POST', '/orgs/local/playbooks/tools/mcp', message(1), ENDPOINT_HEADERS),
  },
  {
    name: '100 requests with answers of 500 fields are made',
    leastMs: MADE_IN_MS,
    async run(target) {
      await make(target, 'inbox', () => [asking]);
      const ask = () => target.send('POST', `${PLAYBOOKS}/inbox/definitions/interaction/asks/run`, {});
      for (let count = 0; count < 100; count += 10) await Promise.all(times(10, ask));
    },
  },
  {
    name: 'a list of 100 requests with answers of 500 fields',
    run: ({ send }) => send('GET', `${PLAYBOOKS}/inbox/interactions?limit=100`),
  },
  {
    name: 'agents: a list of 100 requests with answers of 500 fields',
    run: ({ send }) => {
      const params = { name: 'list_interactions', arguments: { limit: 100 } };
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      return send('POST', '/orgs/local/playbooks/inbox/mcp', body, ENDPOINT_HEADERS);
    },
  },
];
