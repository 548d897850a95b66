import Type from 'typebox';
import { DEFINITION_FACTS, DEFINITION_TYPES, type DefinitionType } from '../../../shared/definition-types.ts';
import type { Issue } from '../../../shared/issues.ts';
import type { Json, JsonObject } from '../../../shared/json.ts';
import { KIB } from '../../../shared/product.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { statusSentence } from '../../../shared/status-label.ts';
import { type Run, RunListEntrySchema, RunSchema, RunWithRecordSchema } from '../../../shared/schemas/index.ts';
import { checkRunEvent } from '../events/index.ts';
import { jsonBytes } from '../../lib/canonical-json.ts';
import {
  defineOperation,
  defineStream,
  type Operation,
  PAGE_FIELDS,
  pageOf,
  pageRequest,
  type StreamedEvent,
} from '../../operations/index.ts';
import type { Definitions } from '../definitions/index.ts';
import type { Playbooks } from '../playbooks/index.ts';
import type { TextPiece } from './live-text.ts';
import type { Runs } from './runs.ts';

export type { WithCaller } from './durable/with-caller.ts';
export type { TellWaiter } from './waiter.ts';
export { createEndWaiting, type EndWaiting } from './end-waiting.ts';
export { RUN_LANES, SLOW_START_LANE } from './durable/keys.ts';
export { addDurations, boundsOf, type Durations, readDurations } from './durations.ts';
export { durableRunMigrations } from './durable/sql.ts';
export { runProjection } from './projection.ts';
export type { RunInvocation, RunTrigger, TriggeredRun } from './invocation.ts';
export { requireRun, streamOf } from './present.ts';
export { PROCESS_DIED } from './interrupted.ts';
export { type Attempt, attemptOf, metadataOf } from './record.ts';
export { createRuns, type Runs } from './runs.ts';
export { runMigrations, type RunRow, selectStartedBelow } from './sql.ts';
export type { EndedPayload } from './waiter.ts';
export type { Waits } from './waits.ts';

const PLAYBOOK = Type.String({ description: "The playbook's id." });
const TYPE = Type.Enum(DEFINITION_TYPES, { description: 'The type of definition.' });
const RUN_ID = Type.Optional(
  Type.String({
    pattern: '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$',
    description: 'A UUID that you choose, so that repeating the request finds the same run.',
    examples: ['0192b3a4-5c6d-7e8f-9a0b-1c2d3e4f5a6b'],
  }),
);
const RUN_PATH = Type.Object({ playbook: PLAYBOOK, run_id: Type.String({ description: "The run's id." }) });
const READ = { readOnly: true, destructive: false, idempotent: true };

export function runOperations(runs: Runs, playbooks: Playbooks, definitions: Definitions): Operation[] {
  const tag = 'Runs';
  return [
    defineOperation({
      name: 'run_definition',
      tag,
      title: 'Run a definition',
      description:
        'Use to run a function or start a workflow. Returns the output, or `status: started` for a run that has to wait; read its result with get_run. With your own `run_id` the call is safe to repeat. An input that does not match the input schema is `invalid_input`; a program that fails on it is `conflict` kind `unworkable`.',
      permissions: ['playbook:write'],
      method: 'POST',
      route: '/playbooks/{playbook}/definitions/{type}/{name}/run',
      path: Type.Object({
        playbook: PLAYBOOK,
        type: TYPE,
        name: Type.String({ description: "The definition's name." }),
      }),
      fields: Type.Object(
        {
          input: Type.Optional(
            Type.Unsafe<Json>({
              description: `Default: {}. At most ${LIMITS.inputBytes / KIB} KiB as JSON and ${LIMITS.inputDepth} levels deep.`,
            }),
          ),
          run_id: RUN_ID,
          version: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 999_999_999,
              'x-addition': true,
              description: 'Instead of the current one; not for recall and prediction.',
            }),
          ),
          model: Type.Optional(
            Type.String({
              pattern: '^[^\\s/*]+/[^\\s*]+$',
              maxLength: 512,
              'x-addition': true,
              description: 'Reasoning: instead of the model in the document.',
            }),
          ),
        },
        { additionalProperties: false },
      ),
      checksFields: ({ input }) => inputSizeIssues(input),
      depths: { '/input': LIMITS.inputDepth },
      output: RunSchema,
      problems: [
        'not_found',
        'conflict',
        'tools_called',
        'effect_unknown',
        'cancelled',
        'unanswered',
        'unavailable',
        'tools_unfinished',
        'rebuilding',
      ],
      hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
      mcp: true,
      forAgents: { nextStep: waitsWords },
      precheck: ({ org }, { playbook, type, name }) => definitions.refuseInactive({ org, playbook, type, name }),
      handle: (
        { org, caller, traceId, signal, onText, wait },
        { playbook, type, name, input = {}, run_id, version, model },
      ) =>
        runs.run({
          org,
          playbook,
          type,
          name,
          runId: run_id?.toLowerCase(),
          input,
          ...(version === undefined ? {} : { version }),
          ...(model === undefined ? {} : { model }),
          by: caller.id,
          traceId,
          signal,
          ...(onText === undefined ? {} : { onText }),
          ...(wait === undefined ? {} : { wait }),
        }),
    }),
    defineOperation({
      name: 'get_run',
      tag,
      title: 'Get a run',
      description:
        'Use to read the state or result of a run: status, output or rejection, times, version, and the record of what it did. The steps of a workflow are not in its record: explain_run summarizes them.',
      permissions: ['playbook:read'],
      method: 'GET',
      route: '/playbooks/{playbook}/runs/{run_id}',
      path: RUN_PATH,
      output: RunWithRecordSchema,
      problems: ['not_found'],
      hints: READ,
      mcp: true,
      forAgents: { nextStep: stepsWords },
      handle: ({ org }, { playbook, run_id }) => runs.get({ org, playbook }, run_id),
    }),
    defineOperation({
      name: 'rerun',
      tag,
      title: 'Run again from a step',
      description:
        'Use after you fixed what a failed step calls: starts a new run of a workflow run that has ended, from `step`, with the recorded results of the steps before it. Nothing before it is called, asked or published again. A step that did not run is `invalid_input`; a run in progress, or a `version` in which a step that ran is different, is `conflict`.',
      permissions: ['playbook:write'],
      method: 'POST',
      route: '/playbooks/{playbook}/runs/{run_id}/rerun',
      path: RUN_PATH,
      fields: Type.Object(
        {
          step: Type.String({
            minLength: 1,
            maxLength: 2000,
            description: 'Its JSON Pointer, or its name if no other step has it.',
            examples: ['/do/2/charge'],
          }),
          iterations: Type.Optional(
            Type.Array(Type.Integer({ minimum: 0, maximum: 10_000 }), {
              maxItems: 100,
              description: 'The iteration of each loop around the step, outermost first, from 0; default: the last.',
            }),
          ),
          version: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 999_999_999,
              description: 'Instead of the one that the run used.',
            }),
          ),
          new_run_id: RUN_ID,
        },
        { additionalProperties: false },
      ),
      output: RunSchema,
      problems: ['not_found', 'conflict', 'cancelled', 'unanswered', 'unavailable'],
      hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
      mcp: true,
      addition: true,
      forAgents: { listedBy: 'list_runs', nextStep: waitsWords },
      async precheck({ org }, { playbook, run_id }) {
        await playbooks.refuseInactive({ org, playbook });
        await runs.get({ org, playbook }, run_id);
      },
      handle: ({ org, caller, traceId, signal, wait }, { playbook, run_id, step, iterations, version, new_run_id }) =>
        runs.rerun({
          org,
          playbook,
          origin: run_id.toLowerCase(),
          step,
          ...(iterations === undefined ? {} : { iterations }),
          version,
          runId: new_run_id?.toLowerCase(),
          by: caller.id,
          traceId,
          signal,
          ...(wait === undefined ? {} : { wait }),
        }),
    }),
    defineStream({
      name: 'follow_run',
      tag,
      title: 'Follow what a model writes',
      description:
        'A stream of server-sent events with the text of a reasoning run as the model writes it. Each event contains a piece of the text and the offset at which it begins; there are at most four per second. A piece at 0 starts the text over, for the next turn or when the model is called again. The stream begins with the text so far (the last 64 Ki characters of a longer text) and ends with the run; for a run that is not in progress it ends immediately. The stream is not recorded: get_run returns the output.',
      permissions: ['playbook:read'],
      method: 'GET',
      route: '/playbooks/{playbook}/runs/{run_id}/follow',
      path: RUN_PATH,
      eventSchema: Type.Object(
        {
          from: Type.Integer({
            minimum: 0,
            description:
              'The offset of the piece in UTF-16 code units: it replaces the text from there on. If the offset is past the end of the text so far, some text was left out.',
          }),
          text: Type.String({ description: 'The piece as the model wrote it, with secrets redacted.' }),
        },
        { additionalProperties: false },
      ),
      problems: ['not_found'],
      hints: READ,
      mcp: false,
      addition: true,
      async handle({ org, signal }, { playbook, run_id }) {
        return streamed(await runs.follow({ org, playbook }, run_id.toLowerCase(), signal));
      },
    }),
    defineOperation({
      name: 'list_runs',
      tag,
      title: 'List runs',
      description:
        'Use to find runs. Returns them by first start, newest first, a page at a time, without output, record, and the detail and issues of a rejection. `event` selects the runs that one event started, `origin` the reruns of a run.',
      permissions: ['playbook:read'],
      method: 'GET',
      route: '/playbooks/{playbook}/runs',
      path: Type.Object({ playbook: PLAYBOOK }),
      fields: Type.Object(
        {
          type: Type.Optional(TYPE),
          name: Type.Optional(Type.String({ maxLength: 48, description: 'Only of definitions with this name.' })),
          status: Type.Optional(
            Type.Enum(['started', 'succeeded', 'rejected', 'failed'], {
              description: 'Only with this status.',
            }),
          ),
          event: Type.Optional(
            Type.String({
              maxLength: 64,
              'x-addition': true,
              description: 'Only runs whose trigger this event fired: the `event_id` that publish_event returned.',
            }),
          ),
          origin: Type.Optional(
            Type.String({
              maxLength: 36,
              'x-addition': true,
              description: 'Only reruns of this run.',
            }),
          ),
          ...PAGE_FIELDS,
        },
        { additionalProperties: false },
      ),
      output: Type.Object(
        {
          runs: Type.Array(RunListEntrySchema),
          has_more: Type.Boolean(),
          next_cursor: Type.Union([Type.String(), Type.Null()]),
        },
        { additionalProperties: false },
      ),
      problems: ['not_found'],
      hints: READ,
      mcp: true,
      async handle(call, { playbook, type, name, status, event, origin, ...page }) {
        const request = pageRequest(call, page, 'runs');
        const read = await runs.list(
          { org: call.org, playbook },
          { type, name, status, event, origin: origin?.toLowerCase() },
          request.after,
          request.limit + 1,
        );
        const { entries, end } = pageOf(read, request, 'runs', ({ place }) => place);
        return { runs: entries.map(({ entry }) => entry), ...end };
      },
    }),
    defineOperation({
      name: 'cancel_run',
      tag,
      title: 'Cancel a run',
      description:
        'Use to cancel a workflow, an open request or a build in progress. The request is recorded and takes effect shortly after; read the run with get_run. A run that has ended, or that ends within the request that started it, is `conflict`.',
      permissions: ['playbook:write'],
      method: 'POST',
      route: '/playbooks/{playbook}/runs/{run_id}/cancel',
      path: RUN_PATH,
      fields: Type.Object(
        {
          reason: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: LIMITS.cancelReasonCharacters,
              pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
              description: "The reason; becomes the detail of the run's ending. No control characters.",
            }),
          ),
        },
        { additionalProperties: false },
      ),
      output: RunSchema,
      problems: ['not_found', 'conflict'],
      hints: { readOnly: false, destructive: true, idempotent: true },
      mcp: true,
      async precheck({ org }, { playbook, run_id }) {
        await playbooks.refuseInactive({ org, playbook });
        await runs.get({ org, playbook }, run_id);
      },
      handle: ({ org, caller, traceId }, { playbook, run_id, reason }) =>
        runs.cancel({ org, playbook }, run_id, { reason, by: caller.id, traceId }),
    }),
    defineOperation({
      name: 'send_run_event',
      tag,
      title: 'Send an event to a run',
      description:
        'Use to send an event to one workflow run in progress; it waits until a `listen` step of the run receives it. A run accepts each `id` once, so repeating the call with an id is safe. Use publish_event to reach the whole playbook.',
      permissions: ['playbook:write'],
      method: 'POST',
      route: '/playbooks/{playbook}/runs/{run_id}/events',
      path: RUN_PATH,
      fields: Type.Object(
        {
          event: Type.Unsafe<JsonObject>({
            type: 'object',
            description: 'The event: `type`, and optionally `id`, `source`, `subject` and `data`.',
            required: ['type'],
            properties: {
              type: { type: 'string', description: 'What happened.', examples: ['order.paid'] },
              id: { type: 'string', description: 'Unique among the events sent to the run; generated when absent.' },
              source: { type: 'string', description: 'Where it happened; /callers/ and the caller when absent.' },
              subject: { type: 'string', description: 'What it happened to.' },
              data: { description: 'The details: any JSON value.' },
            },
          }),
        },
        { additionalProperties: false },
      ),
      checksFields: ({ event }) => checkRunEvent(event),
      depths: { '/event/data': LIMITS.eventDataDepth },
      output: Type.Object(
        {
          run_id: Type.String({ format: 'uuid', description: 'The run.' }),
          event: Type.Unsafe<JsonObject>({ type: 'object', description: 'The event as it was delivered.' }),
        },
        { additionalProperties: false },
      ),
      problems: ['not_found', 'conflict', 'unavailable'],
      hints: { readOnly: false, destructive: false, idempotent: true },
      mcp: true,
      async precheck({ org }, { playbook, run_id }) {
        await playbooks.refuseInactive({ org, playbook });
        await runs.get({ org, playbook }, run_id);
      },
      handle: ({ org, caller }, { playbook, run_id, event }) => runs.send({ org, playbook }, run_id, event, caller.id),
    }),
  ];
}

async function* streamed(pieces: AsyncIterable<TextPiece>): AsyncGenerator<StreamedEvent> {
  for await (const { from, text } of pieces) yield { data: { from, text } };
}

function inputSizeIssues(input: Json | undefined): Issue[] {
  const bytes = input === undefined ? 0 : jsonBytes(input);
  if (bytes <= LIMITS.inputBytes) return [];
  const detail = `\`input\` has ${bytes} bytes as JSON; it may have at most ${LIMITS.inputBytes}. Send less, or divide the work.`;
  return [{ pointer: '/input', detail }];
}

function stepsWords(run: JsonObject): string | undefined {
  const { type, run_id } = run;
  if (DEFINITION_FACTS[type as DefinitionType].hasSteps !== true) return undefined;
  return `explain_run with run_id ${String(run_id)} shows what each step did, list_playbook_events their events.${questionWords(run)}`;
}

/** How to find the question that a run waits for. */
function questionWords({ waits_for: waitsFor, run_id }: JsonObject): string {
  if (!Array.isArray(waitsFor) || !waitsFor.includes('answer')) return '';
  return ` list_interactions with run_id ${String(run_id)} shows its open question.`;
}

function waitsWords(answer: JsonObject): string | undefined {
  const run = answer as unknown as Run;
  if (run.status !== 'started') return undefined;
  return `${statusSentence('The run', run)} Read its result with get_run and run_id ${run.run_id}.${questionWords(answer)}`;
}
