// What an agent is told to do about a refusal: the next call, by the name of its tool.
import { assertNever } from '../../shared/assert-never.ts';
import type { JsonObject } from '../../shared/json.ts';
import { isReservedEventType } from '../../shared/schemas/events/index.ts';
import type { Refused } from '../kernel/rejection.ts';
import type { Operation } from '../operations/index.ts';

/** @param tool the tool that was called: an operation, or a definition by itself */
export function adviceOf(refused: Refused, tool: { name: string; operation?: Operation }): string {
  const { problem, rejection, members } = refused;
  const isEndedRun = members['run_id'] !== undefined;
  switch (problem) {
    case 'invalid_input':
      return isEndedRun ? INPUT_REFUSED : fieldsRefused(tool);
    case 'not_found':
      return 'Look up the name: list_playbooks, list_definitions and list_runs show what there is.';
    case 'conflict':
      return conflictAdvice(rejection.kind, isEndedRun, tool.name);
    case 'unavailable':
      return rejection.retryAfter === undefined
        ? 'Calling again at once gives the same; read the detail for what has to change first.'
        : `Call again after ${Math.max(1, Math.ceil(rejection.retryAfter))} s.`;
    case 'rebuilding':
      return `Call again after ${Math.max(1, Math.ceil(rejection.retryAfter ?? 1))} s.`;
    case 'tools_called':
      return 'Find out with get_run what the run did; then, if it is still wanted, start a new one with another run_id.';
    case 'effect_unknown':
      return 'Find out what the tool did before you call anything again; get_run shows the calls that were made.';
    case 'tools_unfinished':
      return 'Only reading tools were called: a new run with another run_id is safe.';
    case 'cancelled':
    case 'unanswered':
      return 'The run has its ending; start a new one with another run_id if it is still wanted.';
    case 'forbidden':
    case 'unauthenticated':
    case 'origin_not_allowed':
      return 'Calling again gives the same; tell the person you work for.';
    case 'content_too_large':
      return 'Send less, or divide the work.';
    case 'internal':
      return isEndedRun
        ? 'get_run shows the run and its record; list_playbook_events with its run_id shows each step.'
        : 'Call again once; if it fails again, tell the person you work for the `instance`.';
    case 'bad_request':
    case 'method_not_allowed':
    case 'length_required':
    case 'unsupported_media_type':
    case 'client_closed_request':
      return 'Mend the call and send it again.';
    default:
      return assertNever(problem);
  }
}

/** What to use for an operation that is no tool. */
const INSTEAD: Readonly<Record<string, string>> = {
  get_run_history: 'list_playbook_events with the run_id of the run at the top',
  get_playbook: 'list_playbooks',
  get_playbook_analytics: 'list_runs',
  get_connection: 'list_connections',
  validate: 'dry_run',
};

export function insteadOf(name: string): string | undefined {
  return Object.hasOwn(INSTEAD, name) ? INSTEAD[name] : undefined;
}

/** What to do next with an answer that is not the last word. */
export function nextStep(name: string, answer: JsonObject, given: JsonObject): string | undefined {
  if (name === 'run_definition' && answer['status'] === 'started') return waitsWords(String(answer['run_id']));
  if (name === 'list_playbook_events') return noRecords(answer, given);
  return undefined;
}

/** Who asks for the type of a published event finds nothing, and would take it for never published. */
function noRecords({ events }: JsonObject, { type }: JsonObject): string | undefined {
  if (!Array.isArray(events) || events.length > 0 || typeof type !== 'string' || isReservedEventType(type)) return;
  return `No record has this type. \`type\` is the type of the record: what was published is listed under event_published, with its own type in data.event.type.`;
}

export function waitsWords(runId: string): string {
  return `The run goes on. Read how it ends with get_run and run_id ${runId}; list_playbook_events with that run_id shows what it waits for.`;
}

const INPUT_REFUSED =
  'Mend the input at the places that `errors` points at; get_definition shows the schema that it must fit.';

function fieldsRefused({ name, operation }: { name: string; operation?: Operation }): string {
  if (operation?.fields.properties['source'] === undefined) {
    return `Mend the arguments that \`errors\` points at and call ${name} again; nothing was changed.`;
  }
  return `Mend what \`errors\` points at and call ${name} again; nothing was saved. check_definition tries a document without saving it, and read_resource with guide://TYPE shows its format.`;
}

function conflictAdvice(kind: string | undefined, isEndedRun: boolean, name: string): string {
  if (kind === 'retired') return 'What is retired stays so; use or make another one.';
  if (kind === 'stalled') {
    return 'The same call gives the same until update_definition saves a version that can take the event; get_event shows the event whole, and guide://recall what `evolve` gets of it.';
  }
  if (kind === 'unworkable' || kind === 'oversized') {
    return 'The same call gives the same. Mend the definition with update_definition, or send another input; get_run shows what the run recorded.';
  }
  if (isEndedRun) return 'get_run shows what the run recorded.';
  return `Read how things stand now, then decide whether to call ${name} again with other arguments.`;
}
