// Interactions: a question to a party, a notification, or one call of a tool.
import type { Expressions } from '../../lib/jq/index.ts';
import type { SchemaChecker } from '../../lib/schemas/index.ts';
import type { Templates } from '../../lib/templates/index.ts';
import type { Sources } from '../../lib/yaml/index.ts';
import type { NewRequest } from '../conversing.ts';
import type { Waiting } from '../durable.ts';
import type { Kind } from '../kind.ts';
import type { Ending, RunRequest } from '../run.ts';
import type { PlaybookTools } from '../tools.ts';
import { callTool } from './call.ts';
import { checkInteraction } from './check.ts';
import { createConversing } from './conversing.ts';
import type { InteractionDocument } from './schema.ts';
import { requestOf } from './request.ts';
import { createValues } from './values.ts';

export { answerOfText, type ParsedAnswer as TakenText } from './answer-of-text.ts';

export interface InteractionKindOptions {
  sources: Sources;
  expressions: Expressions;
  templates: Templates;
  schemas: SchemaChecker;
  tools: PlaybookTools;
  /** The studio's page of a request. */
  requestUrl: (playbookKey: { org: string; playbook: string }, runId: string) => string;
}

export function createInteractionKind({
  sources,
  expressions,
  templates,
  schemas,
  tools,
  requestUrl,
}: InteractionKindOptions): Kind {
  const values = createValues(expressions, templates);
  const documentOf = (source: string): Promise<InteractionDocument> => sources.valueOf(source);

  async function start(run: RunRequest): Promise<Ending | Waiting> {
    const document = await documentOf(run.source);
    if (document.call !== undefined) {
      const scope = { input: run.input, names: {}, now: run.startedAt, playbookKey: run };
      const given = await values.arguments('call.arguments', document.call.arguments, scope);
      return given.ok ? callTool(run, document.call, given.value, schemas) : unworkable(given.detail);
    }
    const worked = await requestOf(document, { ...run, now: run.startedAt, url: requestUrl(run, run.runId) }, values);
    return worked.ok ? waitingFor(worked.value) : unworkable(worked.detail);
  }

  return {
    type: 'interaction',
    traits: { startsSlowly: true },
    check: (source, context) => checkInteraction(source, context, { sources, expressions, templates, schemas, tools }),
    start,
    mayCallTools: async (source) => (await documentOf(source)).call !== undefined,
    conversing: createConversing({ values, schemas, requestUrl, documentOf }),
    async tryExample({ playbookKey, source, example: { input }, now }) {
      const document = await documentOf(source);
      const run = { ...playbookKey, runId: EXAMPLE_RUN, input, now, url: EXAMPLE_URL };
      const worked =
        document.call === undefined
          ? await requestOf(document, run, values)
          : await values.arguments('call.arguments', document.call.arguments, {
              input,
              names: {},
              now,
              playbookKey: playbookKey,
            });
      return worked.ok ? [] : [worked.detail];
    },
  };
}

/** The run ends with its request: with the answer, or once a notification is delivered. One in the inbox is so at once. */
function waitingFor(request: NewRequest): Waiting {
  const { to, message, answerSchema, expiresAt, delivery } = request;
  const decision = { moved: [], parts: new Map(), commands: [{ do: 'put_request', request }] } as const;
  if (answerSchema === null && delivery === null) {
    const record = { to, message, takes_answer: false };
    return {
      status: 'waiting',
      decision: { ...decision, ending: { status: 'succeeded', output: { delivered: true }, record } },
    };
  }
  const waitsFor = answerSchema === null ? 'the delivery of its notification' : `an answer from ${to}`;
  return { status: 'waiting', decision: { ...decision, waitsFor, until: expiresAt } };
}

const EXAMPLE_RUN = '00000000-0000-7000-8000-000000000000';
const EXAMPLE_URL = `http://127.0.0.1:4747/#/local/test/inbox/${EXAMPLE_RUN}`;

function unworkable(detail: string): Ending {
  return { status: 'rejected', rejection: { reason: 'conflict', kind: 'unworkable', detail } };
}
