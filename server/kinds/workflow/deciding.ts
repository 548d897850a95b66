// What a workflow decides about an input, on the main thread and in the workers of bursts.
import type { Issue } from '../../../shared/issues.ts';
import type { Json } from '../../../shared/json.ts';
import type { PlaybookKey } from '../../kernel/log/index.ts';
import type { Expressions } from '../../lib/jq/index.ts';
import { Refused } from '../../lib/rejection.ts';
import type { SchemaChecker } from '../../lib/schemas/index.ts';
import { createScrubber, secretTexts } from '../../lib/scrub/index.ts';
import type { Decision, DurableRun, RunInput, RunState } from '../durable.ts';
import { type AnswerRequest, drive } from './drive.ts';
import { decide, type Facts, type Plan, type Request } from './engine/index.ts';

/** What a decision needs beside the run, its state and the input. */
export interface DecidingMeans {
  expressions: Pick<Expressions, 'evaluate'>;
  schemas: Pick<SchemaChecker, 'compileSchema'>;
  /** The product's version, as `$runtime.version` returns it. */
  version: string;
  /** What is wrong with an event that a workflow is about to publish. */
  checkEvent: Facts['checkEvent'];
  secrets: (playbookKey: PlaybookKey) => Readonly<Record<string, string>>;
}

export interface Deciding {
  decideWith: (plan: Plan, run: DurableRun, state: RunState, input: RunInput) => Promise<Decision | undefined>;
  factsOf: (run: DurableRun) => Facts;
  answerWith: (state: RunState, run: PlaybookKey & { now: number }) => AnswerRequest;
}

export function createDeciding({ expressions, schemas, version, checkEvent, secrets }: DecidingMeans): Deciding {
  function factsOf(run: DurableRun): Facts {
    const { runId, now, name, version: definitionVersion, org, playbook } = run;
    const own = { runId, now, name, version: definitionVersion, org, playbook };
    return {
      ...own,
      runtimeVersion: version,
      secrets: secrets(run),
      isTaken: ({ source, id }) => run.takenEventKeys.has(JSON.stringify([source ?? null, id ?? null])),
      checkEvent,
    };
  }

  function answerWith(state: RunState, run: PlaybookKey & { now: number }): AnswerRequest {
    return (request) => {
      switch (request.ask) {
        case 'evaluate':
          return expressions.evaluate(request.expression, request.input, request.variables, run.now, run);
        case 'check':
          return issuesOf(schemas, request);
        case 'part':
          return state.part(request.key);
        case 'mailbox':
          return state.mailbox();
      }
    };
  }

  return {
    async decideWith(plan, run, state, input) {
      const decision = await drive(decide(plan, factsOf(run), input), answerWith(state, run));
      return decision === undefined ? undefined : scrubbed(decision, secrets(run));
    },
    factsOf,
    answerWith,
  };
}

/** What does not fit; a value that takes too long to check counts as one that does not. */
async function issuesOf(
  schemas: DecidingMeans['schemas'],
  { schema, value, pointer }: Extract<Request, { ask: 'check' }>,
): Promise<readonly Issue[]> {
  try {
    return await schemas.compileSchema(schema, 'The value').check(value, pointer);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return [{ pointer, detail: error.message }];
  }
}

/** Secrets stay in the state of the run, which needs them; what history and callers see of them is taken out. */
export function scrubbed(decision: Decision, secrets: Readonly<Record<string, string>>): Decision {
  const texts = secretTexts(secrets);
  if (texts.length === 0) return decision;
  const scrubber = createScrubber(texts);
  const scrub = <Value>(value: Value): Value => scrubber.json(value as Json) as Value;
  // A called run records what it is given: secrets leave with calls that leave the service, and with no other.
  const commands = decision.commands.map((command) => {
    if (command.do === 'publish') return { ...command, event: scrub(command.event) };
    return command.do === 'start_run' ? { ...command, input: scrub(command.input) } : command;
  });
  const ending = decision.ending === undefined ? {} : { ending: scrub(decision.ending) };
  return { ...decision, moved: scrub(decision.moved), commands, ...ending };
}
