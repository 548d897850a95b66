// The second step of the composition: everything that Cuebook can do, as operations.
import type { Logger } from 'pino';
import { accessOperations } from '../domain/access/index.ts';
import { agentOperations } from '../domain/agents/index.ts';
import { analyticsOperations, createAnalytics, createModelUsage } from '../domain/analytics/index.ts';
import { createConnectionService } from '../domain/connections/index.ts';
import { Definitions, definitionOperations } from '../domain/definitions/index.ts';
import { createDrafts, draftOperations } from '../domain/drafts/index.ts';
import { checkPublishedEvent, createEvents, createPublishing, eventOperations } from '../domain/events/index.ts';
import { createExampleKinds, createExamples, exampleOperations } from '../domain/examples/index.ts';
import { createExplanations, explanationOperations } from '../domain/explanations/index.ts';
import { createArchives, Folders, folderOperations } from '../domain/folders/index.ts';
import { createInteractions, interactionOperations, REQUEST_LANES } from '../domain/interactions/index.ts';
import { Models, ProviderKeys, modelOperations, providerOperations, setUpOperations } from '../domain/models/index.ts';
import { createPlaybooks, playbookOperations } from '../domain/playbooks/index.ts';
import { createPredictions, PENDING_LANE } from '../domain/predictions/index.ts';
import { createEndWaiting, createRuns, RUN_LANES, runOperations, SLOW_START_LANE } from '../domain/runs/index.ts';
import { createCallWithoutRun, Tools, toolOperations, toolSetUpOperations } from '../domain/tools/index.ts';
import { Firing, Schedules, createTriggers, scheduleOperations } from '../domain/triggers/index.ts';
import { RecallViews } from '../domain/views/index.ts';
import type { PlaybookKey } from '../kernel/log/index.ts';
import type { Stopping } from '../kernel/stopping.ts';
import { createTakeOver } from './take-over.ts';
import { createTasks, TaskRunner, type TaskRunnerOptions } from '../kernel/tasks/index.ts';
import { createLanguages } from '../kinds/languages.ts';
import { createFold } from '../kinds/recall/index.ts';
import { createKinds } from '../kinds/registry.ts';
import type { Clock } from '../lib/clock.ts';
import { createSchemaChecker } from '../lib/schemas/index.ts';
import { createTelemetry } from '../lib/telemetry/index.ts';
import { createTextWork } from '../lib/text-work/index.ts';
import type { Stores } from './open-stores.ts';
import type { Operation } from '../operations/index.ts';
import type { OwnAddress } from './own-address.ts';
import type { Mode, Settings } from '../settings/index.ts';
import { storeGauges } from './store-gauges.ts';
import { VERSION } from './version.ts';

export interface DomainOptions {
  settings: Settings;
  mode: Mode;
  stores: Stores;
  address: Pick<OwnAddress, 'server' | 'studio'>;
  /** Path of the bundle for Claude Desktop among the studio's files; undefined where it was not built. */
  bundle: string | undefined;
  clock: Clock;
  logger: Logger;
  stopping: Stopping;
}

export interface Domain {
  operations: readonly Operation[];
  /** The sentence that guides show about the models that are there. */
  modelsGuide: () => string;
  /** @throws Refused `not_found` */
  requirePlaybook: (playbookKey: PlaybookKey) => Promise<void>;
  /** Reads what was stored, ends what an earlier start left behind, and brings views up to date. */
  load(): Promise<void>;
  /** Starts carrying out tasks. Called once the server listens, since tasks name its address. */
  startTasks(): void;
  /** Whether there is a run, a trigger or a timer. */
  isBusy(): Promise<boolean>;
  /** Gives runs and tasks in progress the grace of a stop. */
  stopWork(): Promise<void>;
  /** Ends connections, worker threads and child processes. */
  close(): Promise<void>;
}

export function buildDomain(options: DomainOptions): Domain {
  const { settings, mode, stores, address, clock, logger, stopping } = options;
  const { log, ids, secrets } = stores;
  const { graceOver } = stopping;
  const schemas = createSchemaChecker();
  const textWork = createTextWork();
  const languages = createLanguages({ textWork });
  const telemetry = createTelemetry({
    endpoint: settings.telemetryEndpoint,
    version: VERSION,
    counters: [
      { name: 'store.commits', description: 'Commits that changed something.', read: () => log.counters.commits },
      {
        name: 'store.statements',
        description: 'Statements that read or wrote rows.',
        read: () => log.counters.statements,
      },
    ],
    gauges: storeGauges(log, clock),
    onError: (error) => logger.warn({ err: error }, 'Telemetry could not be sent.'),
  });

  const connections = createConnectionService({
    settings,
    mode,
    people: peopleOf(settings),
    log,
    secrets,
    clock,
    ids,
    connectPage: () => ({ page: `${address.studio()}/connect`, server: address.server() }),
  });
  const tools = new Tools({
    settings,
    connections: connections.connected,
    mode,
    version: VERSION,
    schemas,
    textWork,
    clock,
    logger,
  });
  const providerKeys = new ProviderKeys({ settings: settings.models, log, secrets });
  const models = new Models({ settings: () => providerKeys.settings(), textWork, clock, logger, telemetry });
  const views = new RecallViews({ log, clock, fold: createFold(languages.sandbox), logger });
  const lanes = Object.entries(RUN_LANES);
  const tasks = createTasks({
    ...Object.fromEntries(lanes.map(([kind, { table }]) => [kind, table])),
    ...SLOW_START_LANE,
    ...REQUEST_LANES,
    ...PENDING_LANE,
  });
  const predictions = createPredictions({
    log,
    clock,
    ids,
    tasks,
    runs: () => runs,
    stopping: stopping.begun,
    sources: languages.sources,
    expectsUploads: async (tx, run) => (await runs.uploads.expected(tx, run)).length > 0,
    urlOf: ({ org, playbook }, route) => `${address.server()}/v1/orgs/${org}/playbooks/${playbook}${route}`,
    logger,
  });
  const kinds = createKinds({
    version: VERSION,
    languages,
    schemas,
    textWork,
    models,
    playbookTools: tools,
    tools,
    views,
    predictor: predictions.predictor,
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

  const exampleKinds = createExampleKinds({
    // Types are checked for warnings alone, which test_definition does not return.
    languages: { ...languages, types: { ...languages.types, check: async () => [] } },
    schemas,
    textWork,
    clock,
    version: VERSION,
  });

  const holder = ids();
  const publishing = createPublishing({ log, clock, ids, correlate: kinds.correlate });
  const triggering = kinds.workflows.triggers;
  const triggers = createTriggers({ log, clock, tasks, publishing, triggering });
  const interactions = createInteractions({
    log,
    clock,
    ids,
    tasks,
    tools,
    schemas,
    kinds: kinds.byType,
    endWaiting: createEndWaiting({ log, tasks, clock, kinds: kinds.byType }),
    withCaller: (...ended) => runs.withCaller(...ended),
    graceOver,
  });
  const runs = createRuns({
    log,
    kinds: kinds.byType,
    bursts: kinds.bursts,
    schemas,
    clock,
    ids,
    tasks,
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
  const events = createEvents(log, publishing);
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
  const folders = new Folders(log, playbooks, definitions);
  const takeOver = createTakeOver({ log, runs, tasks, logger });
  const taskRunners = [runner({}), ...lanes.map(([, lane]) => runner(lane))];

  return {
    operations: [
      ...playbookOperations(playbooks),
      ...definitionOperations(definitions, playbooks, {
        recall: (key) => views.standing(key),
        prediction: predictions.standing,
      }),
      ...exampleOperations(createExamples({ kinds: exampleKinds.byType, log, clock }), definitions, playbooks),
      ...draftOperations(createDrafts({ kinds: kinds.byType, log, schemas, tools, clock, ids }), playbooks, clock),
      ...runOperations(runs, playbooks, definitions),
      ...explanationOperations(createExplanations(log, clock)),
      ...predictions.operations(playbooks),
      ...interactionOperations(interactions, runs, playbooks),
      ...eventOperations(events, playbooks),
      ...scheduleOperations(schedules, playbooks),
      ...folderOperations(folders, createArchives({ folders, textWork, clock }), playbooks),
      ...analyticsOperations(
        createAnalytics(log, clock),
        createModelUsage(log, clock, () => settings.models().prices),
      ),
      ...connections.operations,
      ...toolOperations(tools, createCallWithoutRun({ tools, log, ids }), playbooks),
      ...toolSetUpOperations({ settings, mode, textWork }),
      ...modelOperations(models),
      ...providerOperations(providerKeys, models, mode),
      ...setUpOperations({ settings, models, mode, ids }),
      ...agentOperations({ mode, dataDir: settings.dataDir, bundle: options.bundle }),
      ...accessOperations(),
    ],
    modelsGuide: () => models.guideSentence(),
    requirePlaybook: (playbookKey) => playbooks.refuseUnknown(playbookKey),
    async load() {
      await Promise.all([connections.load(), providerKeys.load()]);
      await takeOver();
      await predictions.start();
      await views.start();
    },
    startTasks() {
      for (const one of taskRunners) one.start();
    },
    isBusy: async () => (await runs.goOn()) || (await triggers.areSet()),
    async stopWork() {
      await Promise.all([runs.stop(), ...taskRunners.map((one) => one.stop())]);
      await views.stop();
    },
    async close() {
      models.close();
      await predictions.close();
      await tools.close();
      connections.close();
      await telemetry.close();
      kinds.close();
      exampleKinds.close();
      await languages.close();
      await schemas.close();
      await textWork.close();
    },
  };
}

/** Who may approve connections. */
function peopleOf({ mode, identityIssuer }: Settings): 'local' | 'signed_in' | 'nobody' {
  if (mode === 'local') return 'local';
  return identityIssuer === undefined ? 'nobody' : 'signed_in';
}
