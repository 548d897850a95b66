// The workflow kind: documents of the Serverless Workflow DSL, carried out by the engine.
import { LRUCache } from 'lru-cache';
import type { Issue } from '../../../shared/issues.ts';
import type { Json, JsonObject } from '../../../shared/json.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Expressions } from '../../lib/jq/index.ts';
import { Refused } from '../../lib/rejection.ts';
import type { SchemaChecker } from '../../lib/schemas/index.ts';
import type { PlaybookKey } from '../../kernel/log/index.ts';
import type { TextWork } from '../../lib/text-work/index.ts';
import type { Sources } from '../../lib/yaml/index.ts';
import type { Checked } from '../checked.ts';
import { type Decision, type DurableRun, NO_STATE, type RunInput, type RunState, type Waiting } from '../durable.ts';
import type { Kind } from '../kind.ts';
import type { RunRequest } from '../run.ts';
import type { WorkflowTools } from '../tools.ts';
import { checkWorkflow } from './check.ts';
import type { WorkflowDocument } from './document/index.ts';
import { createEffects, type Grants } from './effects.ts';
import { type AnswerRequest, drive } from './drive.ts';
import {
  awaitedIn,
  decide,
  type Facts,
  gather,
  hotKey,
  type Plan,
  planOf,
  type Request,
  ROOT,
} from './engine/index.ts';
import { createScrubber, secretTexts } from './http-call/index.ts';
import { rerun } from './rerun/index.ts';
import { inputOfEvents, interestsOfSchedule, nextTime, takes, timeZoneOf } from './triggering.ts';

export type { Grants } from './effects.ts';

export interface WorkflowKindOptions {
  sources: Sources;
  expressions: Expressions;
  schemas: SchemaChecker;
  /** The product's version, as `$runtime.version` tells it. */
  version: string;
  /** What is wrong with an event that a workflow is about to publish. */
  checkEvent: (event: JsonObject) => readonly Issue[];
  grants: Grants;
  /** Absent: there are no tool servers. */
  tools?: WorkflowTools | undefined;
  textWork: TextWork;
  clock: Clock;
}

const MOST_PLANS = 200;

export type WorkflowKind = Kind &
  Required<Pick<Kind, 'decide' | 'rerun' | 'awaits' | 'describe' | 'perform' | 'triggers'>> & {
    /** Lets connections go. */
    close(): void;
  };

export function createWorkflowKind(options: WorkflowKindOptions): WorkflowKind {
  const { sources, expressions, schemas, grants, tools } = options;
  const effects = createEffects(options);
  const plans = new LRUCache<string, Plan>({ max: MOST_PLANS });

  async function planFor(source: string): Promise<Plan> {
    const plan = plans.get(source) ?? planOf((await sources.valueOf(source)) as unknown as WorkflowDocument);
    plans.set(source, plan);
    return plan;
  }

  function factsOf(run: DurableRun): Facts {
    const { runId, now, name, version, org, playbook } = run;
    const own = { runId, now, name, version, org, playbook };
    return {
      ...own,
      runtimeVersion: options.version,
      secrets: grants.secrets(run),
      isTaken: ({ source, id }) => run.takenEventKeys.has(JSON.stringify([source ?? null, id ?? null])),
      checkEvent: options.checkEvent,
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

  async function decideOn(run: DurableRun, state: RunState, input: RunInput): Promise<Decision | undefined> {
    const plan = await planFor(run.source);
    const decision = await drive(decide(plan, factsOf(run), input), answerWith(state, run));
    return decision === undefined ? undefined : scrubbed(decision, grants.secrets(run));
  }

  return {
    type: 'workflow',
    traits: { takesEvents: true, runsOnce: true },
    triggers: {
      scheduleOf: async (source) => (await planFor(source)).document.schedule as JsonObject | undefined,
      interests: (schedule) => interestsOfSchedule(schedule),
      takes: (filters, event) =>
        takes(filters, event, (expression, input) => {
          const evaluation = expressions.evaluate(expression, input, {}, options.clock.now());
          return evaluation instanceof Promise ? undefined : evaluation;
        }),
      inputOf: (schedule, events) => inputOfEvents(schedule, events),
      nextTime: (schedule, anchor, now) => nextTime(schedule, anchor, now),
      timeZoneOf: (schedule) => timeZoneOf(schedule),
      async gather(run, gathering, event) {
        const facts = factsOf({ ...run, depth: 0, takenEventKeys: new Set() });
        return drive(gather(await planFor(run.source), facts, gathering, event), answerWith(NO_STATE, run));
      },
    },
    check: (source, context): Promise<Checked> =>
      checkWorkflow(source, context, { sources, expressions, schemas, grants, tools }),
    async start({ startedAt: now, input, ...run }: RunRequest): Promise<Waiting> {
      const started = { kind: 'started', key: run.runId, data: { input } } as const;
      const decision = await decideOn(
        { ...run, now, takenEventKeys: run.takenEventKeys ?? new Set() },
        NO_STATE,
        started,
      );
      if (decision === undefined) throw new Error('A run was started and decided nothing.');
      return { status: 'waiting', decision };
    },
    decide: decideOn,
    async rerun(request) {
      const { decision, from } = await rerun(request, { planFor, factsOf, answerWith, decideOn });
      return { decision: scrubbed(decision, grants.secrets(request.run)), from };
    },
    awaits: async (state) => awaitedIn(await state.part(hotKey(ROOT))),
    describe: effects.describe,
    perform: effects.perform,
    close: () => effects.close(),
  };
}

/** What does not fit; a value that takes too long to check counts as one that does not. */
async function issuesOf(
  schemas: SchemaChecker,
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
function scrubbed(decision: Decision, secrets: Readonly<Record<string, string>>): Decision {
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
