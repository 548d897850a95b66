// The workflow kind: documents of the Serverless Workflow DSL, executed by the engine.
import { LRUCache } from 'lru-cache';
import type { Issue } from '../../../shared/issues.ts';
import type { JsonObject } from '../../../shared/json.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Expressions } from '../../lib/jq/index.ts';
import type { SchemaChecker } from '../../lib/schemas/index.ts';
import type { TextWork } from '../../lib/text-work/index.ts';
import type { Sources } from '../../lib/yaml/index.ts';
import type { WorkerDecider } from '../burst/index.ts';
import type { Checked } from '../checked.ts';
import { type Decision, type DurableRun, NO_STATE, type RunInput, type RunState, type Waiting } from '../durable.ts';
import type { Kind } from '../kind.ts';
import type { RunRequest } from '../run.ts';
import type { WorkflowTools } from '../tools.ts';
import { checkWorkflow } from './check.ts';
import type { GivenWorkflow } from './decide.job.ts';
import { calledDefinition } from './document/called-definitions.ts';
import type { WorkflowDocument } from './document/index.ts';
import { createEffects, type Grants } from './effects.ts';
import { createDeciding, scrubbed } from './deciding.ts';
import { drive } from './drive.ts';
import { awaitedIn, gather, hotKey, type Plan, planOf, ROOT } from './engine/index.ts';
import { rerun } from './rerun/index.ts';
import { inputOfEvents, interestsOfSchedule, nextTime, takes, timeZoneOf } from './triggering.ts';

export type { Grants } from './effects.ts';

export interface WorkflowKindOptions {
  sources: Sources;
  expressions: Expressions;
  schemas: SchemaChecker;
  /** The product's version, as `$runtime.version` returns it. */
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
  const { decideWith, factsOf, answerWith } = createDeciding({
    ...options,
    secrets: (playbookKey) => grants.secrets(playbookKey),
  });

  async function planFor(source: string): Promise<Plan> {
    const plan = plans.get(source) ?? planOf((await sources.valueOf(source)) as unknown as WorkflowDocument);
    plans.set(source, plan);
    return plan;
  }

  const decideOn = async (run: DurableRun, state: RunState, input: RunInput): Promise<Decision | undefined> =>
    decideWith(await planFor(run.source), run, state, input);

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
    workerDecider: async (run) => workerDeciderOf(await planFor(run.source), options.version, grants.secrets(run)),
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

/** A longer document would make a burst slower than the tasks that it saves. */
const MOST_CHARACTERS = 131_072;
const MODULE = new URL('./decide.job.ts', import.meta.url).href;
const described = new WeakMap<Plan, { document: string; calls: WorkerDecider['calls'] }>();

function workerDeciderOf(
  plan: Plan,
  version: string,
  secrets: Readonly<Record<string, string>>,
): WorkerDecider | undefined {
  const { document, calls } = described.get(plan) ?? describe(plan);
  if (document.length > MOST_CHARACTERS) return undefined;
  const given: GivenWorkflow = { document, version, secrets: { ...secrets } };
  return { module: MODULE, given, calls };
}

function describe(plan: Plan): { document: string; calls: WorkerDecider['calls'] } {
  const calls = new Map<string, WorkerDecider['calls'][number]>();
  for (const { task } of plan.steps) {
    const called = 'call' in task ? calledDefinition(String(task.call)) : undefined;
    if (called !== undefined) calls.set(`${called.type}/${called.name}`, called);
  }
  const found = { document: JSON.stringify(plan.document), calls: [...calls.values()] };
  described.set(plan, found);
  return found;
}
