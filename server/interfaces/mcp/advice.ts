// What an agent is told to do about a refusal: the next call, by the name of a tool that it is offered.
import { assertNever } from '../../../shared/assert-never.ts';
import { type ProblemName, type ProblemOfCall, PROBLEMS } from '../../../shared/problems.ts';
import type { Refused } from '../../lib/rejection.ts';
import type { Operation } from '../../operations/index.ts';

/**
 * @param tool the tool that was called: an operation, or a definition by itself
 * @param offered the operations that are tools here
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
        ? 'Calling again at once gives the same; read the detail for what has to change first.'
        : `Call again after ${Math.max(1, Math.ceil(rejection.retryAfter))} s.`;
    case 'rebuilding':
      return `Call again after ${Math.max(1, Math.ceil(rejection.retryAfter ?? 1))} s.`;
    case 'internal':
      return isEndedRun
        ? 'get_run shows the run and its record; list_playbook_events with its run_id shows each step.'
        : 'Call again once; if it fails again, tell the person you work for the `instance`.';
    default:
      return assertNever(problem);
  }
}

function isOfCall(problem: ProblemName): problem is ProblemOfCall {
  return !('advice' in PROBLEMS[problem]);
}

const RUN_SHOWN = 'get_run shows what the run recorded.';
const INPUT_REFUSED =
  'Mend the input at the places that `errors` points at; get_definition shows the schema that it must fit.';

/** Names what lists the things that the operation's path names. */
function lookUpAdvice(operation: Operation | undefined, offered: readonly Operation[]): string {
  const route = operation?.route ?? '';
  const lists = [...route.matchAll(/\/\{/g)].map(({ index }) => route.slice(0, index));
  const names = offered
    .filter((one) => (one.method === 'GET' && lists.includes(one.route)) || one.name === operation?.forAgents.listedBy)
    .map(({ name }) => name);
  if (names.length === 0) return 'Call again with a name that there is.';
  return `Look up the name: ${names.join(' and ')} ${names.length === 1 ? 'shows' : 'show'} what there is.`;
}

function fieldsRefused({ name, operation }: { name: string; operation?: Operation | undefined }): string {
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
  if (isEndedRun) return RUN_SHOWN;
  return `Read how things stand now, then decide whether to call ${name} again with other arguments.`;
}
