// The operations that read runs.
import Type from 'typebox';
import { DEFINITION_FACTS, type DefinitionType } from '../../../shared/definition-types.ts';
import type { Issue } from '../../../shared/issues.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { RunListEntrySchema, RunWithRecordSchema } from '../../../shared/schemas/index.ts';
import { invalidInput } from '../../lib/rejection.ts';
import {
  defineOperation,
  defineStream,
  type Operation,
  PAGE_FIELDS,
  pageEnd,
  pageRequest,
  type StreamedEvent,
} from '../../operations/index.ts';
import { requestedTime } from '../events/index.ts';
import { compactRun, compactRuns } from './compact-run.ts';
import type { TextPiece } from './durable/invocation.ts';
import type { RunFilter } from './finding/index.ts';
import type { Runs } from './interface.ts';
import { PLAYBOOK, UUID_PATTERN, questionWords, READ, RUN_PATH, TAG, TYPE } from './operation-parts.ts';

export function getRunOperation(runs: Runs): Operation {
  return defineOperation({
    name: 'get_run',
    tag: TAG,
    title: 'Get a run',
    description:
      'Use to read the state or result of a run: status, output or rejection, version, and record. The steps of a workflow are not in its record: explain_run summarizes them.',
    permissions: ['playbook:read'],
    method: 'GET',
    route: '/playbooks/{playbook}/runs/{run_id}',
    path: RUN_PATH,
    output: RunWithRecordSchema,
    problems: ['not_found'],
    hints: READ,
    mcp: true,
    forAgents: { compact: compactRun, omitted: ['run_id'], nextStep: stepsWords },
    handle: ({ org }, { playbook, run_id }) => runs.get({ org, playbook }, run_id),
  });
}

export function followRunOperation(runs: Runs): Operation {
  return defineStream({
    name: 'follow_run',
    tag: TAG,
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
  });
}

const LIST_FIELDS = Type.Object(
  {
    type: Type.Optional(TYPE),
    name: Type.Optional(Type.String({ maxLength: 48, description: 'Of the definition.' })),
    status: Type.Optional(Type.Enum(['started', 'succeeded', 'rejected', 'failed'], {})),
    event: Type.Optional(
      Type.String({
        maxLength: 256,
        'x-addition': true,
        description:
          'The `event_id` of an event that started them, alone or with others, or its own `id` with `event_source`.',
      }),
    ),
    event_source: Type.Optional(
      Type.String({ maxLength: 1024, 'x-addition': true, description: 'The `source` of `event`.' }),
    ),
    origin: Type.Optional(
      Type.String({
        maxLength: 36,
        'x-addition': true,
        description: 'Only reruns of this run.',
      }),
    ),
    called_by: Type.Optional(
      Type.String({
        pattern: UUID_PATTERN,
        'x-addition': true,
        description: 'The run that called them.',
      }),
    ),
    started_by: Type.Optional(
      Type.String({
        maxLength: 256,
        'x-addition': true,
        description: 'Their caller, such as key:NAME.',
      }),
    ),
    top_level: Type.Optional(
      Type.Boolean({
        'x-addition': true,
        description: 'Whether no run called them.',
      }),
    ),
    since: Type.Optional(
      Type.String({
        maxLength: 64,
        'x-addition': true,
        description: 'They started then or later: ISO 8601 with an offset (+ in a URL: %2B).',
      }),
    ),
    until: Type.Optional(Type.String({ maxLength: 64, 'x-addition': true, description: 'They started earlier.' })),
    search: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        'x-addition': true,
        description: 'Text in their id, input or output, in any case.',
      }),
    ),
    ...PAGE_FIELDS,
  },
  { additionalProperties: false },
);

const LIST_OUTPUT = Type.Object(
  {
    runs: Type.Array(RunListEntrySchema),
    has_more: Type.Boolean(),
    next_cursor: Type.Union([Type.String(), Type.Null()]),
    searched_to: Type.Optional(
      Type.String({
        format: 'date-time',
        'x-addition': true,
        description:
          'Present if the search stopped before the page was full: it looked at the runs back to this start. `next_cursor` continues there.',
      }),
    ),
  },
  { additionalProperties: false },
);

export function listRunsOperation(runs: Runs): Operation {
  return defineOperation({
    name: 'list_runs',
    tag: TAG,
    title: 'List runs',
    description: 'Use to find runs, newest first; get_run has their outputs.',
    permissions: ['playbook:read'],
    method: 'GET',
    route: '/playbooks/{playbook}/runs',
    path: Type.Object({ playbook: PLAYBOOK }),
    fields: LIST_FIELDS,
    output: LIST_OUTPUT,
    problems: ['not_found'],
    hints: READ,
    mcp: true,
    forAgents: { compact: compactRuns },
    checksFields: refuseLoneSource,
    async handle(call, { playbook, type, name, status, event, event_source, search, ...fields }) {
      const { origin, called_by, started_by, top_level, since, until, ...page } = fields;
      const request = pageRequest(call, page, 'runs');
      const { entries, end, searchedTo } = await runs.list(
        { org: call.org, playbook },
        {
          type,
          name,
          status,
          event,
          eventSource: event_source,
          origin: origin?.toLowerCase(),
          calledBy: called_by?.toLowerCase(),
          startedBy: started_by,
          topLevel: top_level,
          ...requestedRange(since, until),
          search,
        },
        request.after,
        request.limit,
      );
      return {
        runs: entries,
        ...pageEnd('runs', end),
        ...(searchedTo === undefined ? {} : { searched_to: searchedTo }),
      };
    },
  });
}

function refuseLoneSource({ event, event_source: source }: { event?: string; event_source?: string }): Issue[] {
  if (source === undefined || event !== undefined) return [];
  return [
    { pointer: '/event_source', detail: "`event_source` goes with `event`; send the event's own `id` as `event`." },
  ];
}

/** @throws Refused `invalid_input` for a time that does not exist, or an end before the start */
function requestedRange(since: string | undefined, until: string | undefined): Pick<RunFilter, 'since' | 'until'> {
  const range = { since: requestedTime('since', since), until: requestedTime('until', until) };
  if (range.since === undefined || range.until === undefined || range.since <= range.until) return range;
  const detail = '`until` is before `since`; send a later time, or exchange the two.';
  throw invalidInput([{ pointer: '/until', detail }]);
}

async function* streamed(pieces: AsyncIterable<TextPiece>): AsyncGenerator<StreamedEvent> {
  for await (const { from, text } of pieces) yield { data: { from, text } };
}

function stepsWords(run: JsonObject): string | undefined {
  const { type } = run;
  if (DEFINITION_FACTS[type as DefinitionType].hasSteps !== true) return undefined;
  return `explain_run shows its steps, list_playbook_events with its run_id their events.${questionWords(run)}`;
}
