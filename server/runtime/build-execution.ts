// What executes definitions: kinds, runs, predictions, triggers and the runners of their tasks.
import { Definitions } from '../domain/definitions/index.ts';
import { checkPublishedEvent, createPublishing } from '../domain/events/index.ts';
import { createExampleKinds } from '../domain/examples/index.ts';
import { createInteractions, REQUEST_LANES } from '../domain/interactions/index.ts';
import { createPlaybooks } from '../domain/playbooks/index.ts';
import { createPredictions, PENDING_LANE } from '../domain/predictions/index.ts';
import { createEndWaiting, createRuns, RUN_LANES, SLOW_START_LANE } from '../domain/runs/index.ts';
import { createTriggers, Firing, Schedules } from '../domain/triggers/index.ts';
import { RecallViews } from '../domain/views/index.ts';
import type { Stopping } from '../kernel/stopping.ts';
import { createTasks, TaskRunner, type TaskRunnerOptions } from '../kernel/tasks/index.ts';
import { createFold } from '../kinds/recall/index.ts';
import { createKinds, type Kinds, type KindsOptions } from '../kinds/registry.ts';
import type { Services, ServicesOptions } from './build-services.ts';
import { VERSION } from './version.ts';

export interface ExecutionOptions extends ServicesOptions, Services {
  stopping: Stopping;
}

export type Execution = ReturnType<typeof buildExecution>;

export function buildExecution(options: ExecutionOptions) {
  const { stores, address, clock, logger, stopping, schemas, languages, tools } = options;
  const { log, ids } = stores;
  const { graceOver } = stopping;
  const holder = ids();
  const lanes = Object.entries(RUN_LANES);
  const tasks = createTasks({
    ...Object.fromEntries(lanes.map(([kind, { table }]) => [kind, table])),
    ...SLOW_START_LANE,
    ...REQUEST_LANES,
    ...PENDING_LANE,
  });
  const stored = { log, clock, ids, tasks };
  const views = new RecallViews({ log, clock, fold: createFold(languages.sandbox), logger });
  const predictions = createPredictions({
    ...stored,
    runs: () => runs,
    stopping: stopping.begun,
    sources: languages.sources,
    expectsUploads: async (tx, run) => (await runs.uploads.expected(tx, run)).length > 0,
    urlOf: ({ org, playbook }, route) => `${address.server()}/v1/orgs/${org}/playbooks/${playbook}${route}`,
    logger,
  });
  const kinds = kindsOf({ ...options, views, predictor: predictions.predictor });
  const publishing = createPublishing({ log, clock, ids, correlate: kinds.correlate });
  const triggering = kinds.workflows.triggers;
  const triggers = createTriggers({ log, clock, tasks, publishing, triggering });
  const interactions = createInteractions({
    ...stored,
    tools,
    schemas,
    kinds: kinds.byType,
    endWaiting: createEndWaiting({ log, tasks, clock, kinds: kinds.byType }),
    withCaller: (...ended) => runs.withCaller(...ended),
    graceOver,
  });
  const runs = createRuns({
    ...stored,
    kinds: kinds.byType,
    bursts: kinds.bursts,
    schemas,
    publishing,
    tools,
    requests: interactions.requests,
    triggeredRunEnded: triggers.runEnded,
    holder,
    logger,
    stopping,
  });
  const firing = new Firing({ log, clock, tasks, triggering, runs });
  const schedules = new Schedules({ log, clock, tasks, triggering, runs });
  const playbooks = createPlaybooks(log, async (tx, playbookKey, by) => {
    await triggers.playbookRetired(tx, playbookKey);
    await runs.playbookRetired(tx, playbookKey, by);
  });
  const definitions = new Definitions(log, kinds.byType, [
    triggers.definitions,
    views.definitions,
    predictions.definitions,
  ]);
  const runner = (lane: Pick<TaskRunnerOptions, 'table' | 'most'>): TaskRunner =>
    new TaskRunner({
      ...lane,
      store: log,
      clock,
      tasks,
      holder,
      handlers: { ...runs.handlers, ...firing.handlers, ...interactions.handlers, ...predictions.handlers },
      onError: ({ error, task }) => logger.error({ err: error, task }, 'A task failed and will be tried again.'),
      alone: true,
      graceOver,
    });
  const taskRunners = [runner({}), ...lanes.map(([, lane]) => runner(lane))];
  return {
    tasks,
    taskRunners,
    views,
    predictions,
    kinds,
    exampleKinds: exampleKindsOf(options),
    publishing,
    triggers,
    interactions,
    runs,
    schedules,
    playbooks,
    definitions,
  };
}

function kindsOf(options: ExecutionOptions & Required<Pick<KindsOptions, 'views' | 'predictor'>>): Kinds {
  const { settings, address, languages, schemas, textWork, models, tools, views, predictor, clock } = options;
  return createKinds({
    version: VERSION,
    languages,
    schemas,
    textWork,
    models,
    playbookTools: tools,
    tools,
    views,
    predictor,
    checkEvent: checkPublishedEvent,
    grants: {
      secrets: settings.workflowSecrets,
      hosts: settings.workflowHosts,
      namedHosts: settings.workflowNamedHosts,
    },
    clock,
    requestUrl: ({ playbook }, runId) =>
      `${address.studio()}/#/playbooks/${encodeURIComponent(playbook)}/inbox/${runId}`,
  });
}

/** Types are checked for warnings alone, which test_definition does not return. */
function exampleKindsOf({ languages, schemas, textWork, clock }: Services & ServicesOptions): Kinds {
  const withoutTypes = { ...languages, types: { ...languages.types, check: async () => [] } };
  return createExampleKinds({ languages: withoutTypes, schemas, textWork, clock, version: VERSION });
}
