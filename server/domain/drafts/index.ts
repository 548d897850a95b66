// Runs documents that are not saved.
import Type, { type Static } from 'typebox';
import { count, flag, list, object, oneOf, optional, text, timestamp } from '../../../shared/schemas/fields.ts';
import { DEFINITION_TYPES } from '../../../shared/definition-types.ts';
import type { Issue } from '../../../shared/issues.ts';
import type { Json, JsonObject } from '../../../shared/json.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { KIB } from '../../../shared/product.ts';
import { DraftRunSchema, DraftStepSchema, GivenResultSchema } from '../../../shared/schemas/index.ts';
import type { Clock } from '../../lib/clock.ts';
import {
  type Call,
  defineOperation,
  defineStream,
  type Operation,
  type StreamedEvent,
} from '../../operations/index.ts';
import type { CloudEvent } from '../../kinds/durable.ts';
import { readIsoTime } from '../events/index.ts';
import type { Playbooks } from '../playbooks/index.ts';
import { createLiveText, inputSizeIssues } from '../runs/index.ts';
import type { DraftRequest, Drafts } from './drafts.ts';
import { createQueue } from './queue.ts';

export { createDrafts } from './drafts.ts';

const PATH = Type.Object({
  playbook: text("The playbook's id."),
  type: oneOf('The type of definition.', DEFINITION_TYPES),
});
const FIELDS = object({
  source: text('The whole document.'),
  name: optional(
    text('The name under which it is or will be saved: a prediction function answers from its active model.', {
      maxLength: 48,
    }),
  ),
  input: optional(
    Type.Unsafe<Json>({
      description: `Default: {}. At most ${LIMITS.inputBytes / KIB} KiB as JSON and ${LIMITS.inputDepth} levels deep.`,
    }),
  ),
  model: optional(
    text('Reasoning: instead of the model in the document.', { pattern: '^[^\\s/*]+/[^\\s*]+$', maxLength: 512 }),
  ),
  call_tools: optional(flag('Call tools and HTTP services. Default: false, they are only checked.')),
  call_models: optional(
    flag(
      'Run reasoning functions that a workflow calls. Default: false. The model of a reasoning draft is always called.',
    ),
  ),
  events: optional(
    list(
      'Workflows: events that the run receives.',
      Type.Unsafe<JsonObject>({ type: 'object', required: ['type'], properties: { type: { type: 'string' } } }),
      { maxItems: 100 },
    ),
  ),
  run_id: optional(
    text('From `continuation`.', {
      pattern: '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$',
    }),
  ),
  started_at: optional(timestamp('From `continuation`.')),
  results: optional(list('From `continuation`, and yours for its questions.', GivenResultSchema, { maxItems: 1000 })),
});
const HINTS = { readOnly: false, destructive: true, idempotent: false, openWorld: true };

type Asked = Static<typeof PATH> & Static<typeof FIELDS>;

export function draftOperations(drafts: Drafts, playbooks: Playbooks, clock: Clock): Operation[] {
  const common = {
    tag: 'Definitions',
    permissions: ['playbook:write'],
    method: 'POST',
    path: PATH,
    fields: FIELDS,
    checksFields: ({ input, started_at: startedAt }: Static<typeof FIELDS>) => [
      ...inputSizeIssues(input),
      ...startIssues(startedAt),
    ],
    depths: { '/input': LIMITS.inputDepth },
    problems: ['not_found', 'conflict', 'unavailable'],
    hints: HINTS,
    mcp: false,
    addition: true,
    precheck: ({ org }: Call, { playbook }: Static<typeof PATH>) => playbooks.refuseInactive({ org, playbook }),
  } as const;
  return [
    defineOperation({
      ...common,
      name: 'run_draft',
      title: 'Run a definition without saving it',
      description:
        'Runs `source` with an input, without saving a version. The run is recorded nowhere but in the response; timers take no time, and no party is asked. Functions of the playbook that have no effect are run. Tools are only checked unless `call_tools` is true. Where the run needs an answer, or a result that it may not produce, the response is `waiting` with `questions`: send `continuation` with your results to continue.',
      route: '/playbooks/{playbook}/definitions/{type}/run-draft',
      output: DraftRunSchema,
      isLong: true,
      forAgents: { instead: { tool: 'test_definition' } },
      async handle(call, asked) {
        await playbooks.refuseInactive({ org: call.org, playbook: asked.playbook });
        return drafts.run(requestOf(call, asked));
      },
    }),
    defineStream({
      ...common,
      name: 'follow_draft',
      title: 'Run a definition without saving it, and follow its steps',
      description:
        'As run_draft, but a stream of server-sent events: the steps of the run as they move, the text of a model as it is written, and at last the result.',
      route: '/playbooks/{playbook}/definitions/{type}/run-draft/follow',
      eventSchema: object({
        steps: optional(list('Steps that changed.', DraftStepSchema)),
        text: optional(
          object('A piece of the text of the model.', {
            from: count('The offset at which the piece replaces the text.'),
            text: text('The piece.'),
          }),
        ),
        result: optional(DraftRunSchema),
      }),
      async handle(call, asked) {
        await playbooks.refuseInactive({ org: call.org, playbook: asked.playbook });
        // Refused before the stream begins, if possible: its status is 200.
        drafts.refuseTooMany(call.org);
        return followed(drafts, requestOf(call, asked), clock);
      },
    }),
  ];
}

/** The steps and the text of a draft run, then its result. A failure of the service ends the stream without one. */
async function* followed(drafts: Drafts, request: DraftRequest, clock: Clock): AsyncGenerator<StreamedEvent> {
  const queue = createQueue<Json>();
  const live = createLiveText(clock);
  const texts = (async () => {
    for await (const piece of live.follow(request.signal)) queue.push({ text: { ...piece } });
  })();
  const run = (async () => {
    try {
      const onSteps: DraftRequest['onSteps'] = (steps) => queue.push({ steps: steps as unknown as Json });
      const result = await drafts.run({ ...request, live, onSteps });
      live.end();
      await texts;
      queue.push({ result: result as unknown as Json });
    } finally {
      live.end();
      queue.end();
    }
  })();
  // The reader may leave before it.
  run.catch(() => {});
  for await (const data of queue) yield { data };
  await run;
}

function requestOf({ org, signal }: Call, asked: Asked): DraftRequest {
  const { playbook, type, source, name = 'draft', input = {}, model, run_id: runId, started_at: startedAt } = asked;
  return {
    playbookKey: { org, playbook },
    type,
    name,
    source,
    input,
    model,
    runId: runId?.toLowerCase(),
    startedAt: startedAt === undefined ? undefined : readIsoTime(startedAt),
    results: asked.results ?? [],
    events: (asked.events ?? []).map(asSent),
    callsTools: asked.call_tools ?? false,
    callsModels: asked.call_models ?? false,
    signal,
  };
}

/** A run lasts up to 366 days, and its times have years of four digits. */
const LATEST_START = Date.UTC(9998, 0);

function startIssues(startedAt: string | undefined): Issue[] {
  if (startedAt === undefined) return [];
  const time = readIsoTime(startedAt);
  if (time !== undefined && time >= 0 && time < LATEST_START) return [];
  return [{ pointer: '/started_at', detail: 'must be the `started_at` of a `continuation`' }];
}

/** An event as the run receives it, with defaults for attributes that the caller leaves out. */
function asSent(event: JsonObject, index: number): CloudEvent {
  return { id: `event-${index + 1}`, source: '/drafts', type: '', specversion: '1.0', ...event };
}
