// Advice to an agent after a refusal: the next call, with the name of a tool that the endpoint offers.
import { assertNever } from '../../../shared/assert-never.ts';
import { type ProblemName, type ProblemOfCall, PROBLEMS } from '../../../shared/problems.ts';
import type { Refused } from '../../lib/rejection.ts';
import type { Operation } from '../../operations/index.ts';

/**
 * @param tool the tool that was called: an operation or a definition
 * @param offered the operations that are tools of the endpoint
 */
export function adviceOf(
  refused: Refused,
  tool: { name: string; operation?: Operation | undefined },
  offered: readonly Operation[],
): string {
  const { problem, rejection, members } = refused;
  const isEndedRun = members['run_id'] !== undefined;
  if (!isOfCall(problem)) return PROBLEMS[problem].advice;
  switch (problem) {
    case 'invalid_input':
      return isEndedRun ? INPUT_REFUSED : fieldsRefused(tool);
    case 'not_found':
      return isEndedRun ? RUN_SHOWN : lookUpAdvice(tool.operation, offered);
    case 'conflict':
      return conflictAdvice(rejection.kind, isEndedRun, tool.name);
    case 'unavailable':
      return rejection.retryAfter === undefined
        ? 'Retrying now has the same result; the detail says what must change first.'
        : `Call again after ${Math.max(1, Math.ceil(rejection.retryAfter))} s.`;
    case 'rebuilding':
      return `Call again after ${Math.max(1, Math.ceil(rejection.retryAfter ?? 1))} s.`;
    case 'internal':
      return isEndedRun
        ? 'get_run shows the run and its record; list_playbook_events with its run_id shows each step.'
        : 'Retry once. If it fails again, report the `instance` to your user.';
    default:
      return assertNever(problem);
  }
}

function isOfCall(problem: ProblemName): problem is ProblemOfCall {
  return !('advice' in PROBLEMS[problem]);
}

const RUN_SHOWN = 'Call get_run to see what the run recorded.';
const INPUT_REFUSED = 'Correct the input values that `errors` points at; get_definition shows the input schema.';

/** Names the operations that list what the path refers to. */
function lookUpAdvice(operation: Operation | undefined, offered: readonly Operation[]): string {
  const route = operation?.route ?? '';
  const lists = [...route.matchAll(/\/\{/g)].map(({ index }) => route.slice(0, index));
  const names = offered
    .filter((one) => (one.method === 'GET' && lists.includes(one.route)) || one.name === operation?.forAgents.listedBy)
    .map(({ name }) => name);
  if (names.length === 0) return 'Call again with an existing name.';
  return `Look up the name with ${names.join(' or ')}.`;
}

function fieldsRefused({ name, operation }: { name: string; operation?: Operation | undefined }): string {
  if (operation?.fields.properties['source'] === undefined) {
    return `Correct the arguments that \`errors\` points at and call ${name} again; nothing was changed.`;
  }
  return `Nothing was saved; correct it and call ${name} again. The guide of its type describes the format.`;
}

function conflictAdvice(kind: string | undefined, isEndedRun: boolean, name: string): string {
  if (kind === 'retired') return 'Retiring is permanent; use or create another one.';
  if (kind === 'changed') {
    return 'Nothing was saved. Read the current version with get_definition, apply your change to it, and send it with that version as expected_version.';
  }
  if (kind === 'asked_by_called_run') return `Call ${name} again with that run_id.`;
  if (kind === 'stalled') {
    return 'Retrying has the same result until update_definition saves a version that can handle the event. get_event shows the complete event; guide://recall describes what `evolve` receives.';
  }
  if (kind === 'unworkable' || kind === 'oversized') {
    return 'Retrying has the same result. Correct the definition with update_definition, or send another input; get_run shows what the run recorded.';
  }
  if (isEndedRun) return RUN_SHOWN;
  return `Check the current state, then decide whether to call ${name} again with other arguments.`;
}
