// The composition root: settings in, a runtime that can listen and be closed out.
import { mkdirSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { watchActivity } from './activity.ts';
import { agentOperations } from './domain/agents/index.ts';
import { analyticsOperations, createAnalytics } from './domain/analytics/index.ts';
import { connectionMigrations, connectionProjection, createConnectionService } from './domain/connections/index.ts';
import {
  createDefinitions,
  definitionMigrations,
  definitionOperations,
  definitionProjection,
} from './domain/definitions/index.ts';
import {
  checkPublishedEvent,
  createEvents,
  createPublishing,
  eventOperations,
  subscriptionMigrations,
} from './domain/events/index.ts';
import { createFolders, folderOperations } from './domain/folders/index.ts';
import { createHttpServer, type StudioFiles } from './interfaces/http/index.ts';
import { type Clock, systemClock } from './lib/clock.ts';
import { contentMigrations } from './kernel/contents/index.ts';
import { createIds } from './kernel/ids.ts';
import { createEventLog, type EventLog, logMigrations, openSqliteStore } from './kernel/log/index.ts';
import {
  createKeyHome,
  createKeyKeeper,
  createSecretStore,
  type KeyHome,
  type KeyWrapper,
  secretMigrations,
  type SecretStore,
} from './kernel/secrets/index.ts';
import { createSchemaChecker } from './lib/schemas/index.ts';
import { createStopping } from './kernel/stopping.ts';
import { createTextWork } from './lib/text-work/index.ts';
import { createTelemetry } from './lib/telemetry/index.ts';
import {
  createTaskRunner,
  createTasks,
  taskMigrations,
  type TaskRunner,
  type TaskRunnerOptions,
} from './kernel/tasks/index.ts';
import {
  createInteractions,
  interactionMigrations,
  interactionOperations,
  interactionProjection,
  REQUEST_LANES,
} from './domain/interactions/index.ts';
import { createKinds } from './kinds/registry.ts';
import { listenOn } from './listen-port.ts';
import { announcing, createMcpFace } from './interfaces/mcp/index.ts';
import { createModels, createProviderKeys, modelOperations, providerOperations } from './domain/models/index.ts';
import { openapiDocument } from './interfaces/openapi/index.ts';
import { makeCallable, type Operation } from './operations/index.ts';
import {
  createPlaybooks,
  playbookMigrations,
  playbookOperations,
  playbookProjection,
} from './domain/playbooks/index.ts';
import { readGuides } from './resources.ts';
import {
  createRuns,
  durableRunMigrations,
  RUN_LANES,
  SLOW_START_LANE,
  runMigrations,
  runOperations,
  runProjection,
} from './domain/runs/index.ts';
import { type Mode, type Settings, watchSettings } from './settings/index.ts';
import { BUNDLE, readStudio } from './studio.ts';
import { createExecute, createTools, toolOperations } from './domain/tools/index.ts';
import { createTriggers, triggerMigrations } from './domain/triggers/index.ts';
import { VERSION } from './version.ts';
import { createViews, type RecallViews, viewMigrations } from './domain/views/index.ts';

export const MIGRATIONS = [
  ...logMigrations,
  ...contentMigrations,
  ...taskMigrations,
  ...playbookMigrations,
  ...definitionMigrations,
  ...runMigrations,
  ...durableRunMigrations,
  ...subscriptionMigrations,
  ...triggerMigrations,
  ...interactionMigrations,
  ...viewMigrations,
  ...secretMigrations,
  ...connectionMigrations,
];
const PROJECTIONS = [
  playbookProjection,
  definitionProjection,
  runProjection,
  interactionProjection,
  connectionProjection,
];

export interface RuntimeOptions {
  settings: Settings;
  logger: Logger;
  clock?: Clock;
  /** The studio's files; those that were built when absent. */
  studio?: StudioFiles;
  /** Called when a commit failed and whether it happened is unknown: the process is to end. */
  onUnknownCommit: (sentence: string) => void;
  /** The system's own store, where a desktop app lends it. */
  keyWrapper?: KeyWrapper | undefined;
}

export interface Runtime {
  /** Everything that it can do. */
  operations: readonly Operation[];
  /** Listens; answers the address, for example `http://127.0.0.1:4747`. */
  listen(): Promise<string>;
  /** Where the data key of the secret store is kept. */
  keyHome: KeyHome;
  /** Whether for so many milliseconds there was no client, and there is no run, trigger or timer. */
  isIdle(milliseconds: number): Promise<boolean>;
  /** Refuses new runs, gives those in progress the grace of a stop, then closes everything. */
  close(): Promise<void>;
}

/** Opens the store alone, for what needs no server. The caller closes it. @throws UnusableStoreError */
export function openLog(settings: Settings, clock: Clock, onUnknownCommit: (sentence: string) => void): EventLog {
  mkdirSync(settings.dataDir, { recursive: true, mode: 0o700 });
  const store = openSqliteStore({ file: settings.databaseFile, migrations: MIGRATIONS, clock, onUnknownCommit });
  return createEventLog({ store, projections: PROJECTIONS, clock, ids: createIds(clock) });
}

/** The secret store of a log: whoever gives SECRETS_KEY keeps its key, or the data directory does. */
export function openSecrets(settings: Settings, log: EventLog): SecretStore {
  return createSecretStore(log, createKeyKeeper(settings.secretsKeys(), settings.dataDir));
}

export function createRuntime(options: RuntimeOptions): Runtime {
  const { settings, logger, clock = systemClock, studio = readStudio() } = options;
  const log = openLog(settings, clock, options.onUnknownCommit);
  const given = settings.secretsKeys();
  const keeper = createKeyKeeper(given, settings.dataDir, options.keyWrapper);
  const secrets = createSecretStore(log, keeper);
  const ids = createIds(clock);
  const schemas = createSchemaChecker();
  const textWork = createTextWork();
  /** Known once the server listens. */
  let ownAddress = '';
  const mode: Mode = 'local';
  const connections = createConnectionService({
    settings,
    mode,
    people: 'local',
    log,
    secrets,
    clock,
    ids,
    connectPage: () => ({ page: `${settings.studioOrigin ?? ownAddress}/connect`, server: ownAddress }),
  });
  const telemetry = createTelemetry({
    endpoint: settings.telemetryEndpoint,
    version: VERSION,
    onError: (error) => logger.warn({ err: error }, 'Telemetry could not be sent.'),
  });
  const tools = createTools({
    settings,
    connections: connections.connected,
    mode,
    version: VERSION,
    schemas,
    textWork,
    clock,
    logger,
  });
  const providerKeys = createProviderKeys({ settings: settings.models, log, secrets });
  const models = createModels({
    settings: providerKeys.settings,
    textWork,
    clock,
    logger,
    telemetry,
  });
  const kinds = createKinds({
    version: VERSION,
    models,
    playbookTools: tools,
    schemas,
    textWork,
    checkEvent: checkPublishedEvent,
    grants: {
      secrets: settings.workflowSecrets,
      hosts: settings.workflowHosts,
      namedHosts: settings.workflowNamedHosts,
    },
    tools,
    clock,
    requestUrl: ({ playbook }, runId) =>
      `${settings.studioOrigin ?? ownAddress}/#/playbooks/${encodeURIComponent(playbook)}/inbox/${runId}`,
    views: () => views,
  });
  const views: RecallViews = createViews({ log, clock, recall: kinds.recall, logger });
  // Files change by the system's time, whatever time it is for runs.
  const stopWatching = watchSettings(settings, logger, systemClock);
  const stopping = createStopping(clock);
  const holder = ids();

  const lanes = Object.entries(RUN_LANES);
  const tasks = createTasks({
    ...Object.fromEntries(lanes.map(([kind, { table }]) => [kind, table])),
    ...SLOW_START_LANE,
    ...REQUEST_LANES,
  });
  const publishing = createPublishing({ log, clock, ids, correlate: kinds.correlate });
  const triggers = createTriggers({
    log,
    clock,
    tasks,
    publishing,
    workflows: kinds.workflows,
    runs: () => runs,
  });
  const interactions = createInteractions({
    log,
    clock,
    ids,
    tasks,
    tools,
    schemas,
    kinds: kinds.byType,
    runs: () => runs,
    graceOver: stopping.graceOver,
  });
  const runs = createRuns({
    log,
    kinds: kinds.byType,
    schemas,
    clock,
    ids,
    tasks,
    publishing,
    tools,
    waits: interactions.waits,
    triggeredRunEnded: triggers.runEnded,
    holder,
    logger,
    stopping,
  });
  const playbooks = createPlaybooks(log, async (tx, place, by) => {
    await triggers.playbookRetired(tx, place);
    await runs.playbookRetired(tx, place, by);
  });
  const definitions = createDefinitions(log, kinds.byType, [triggers.definitions, views.definitions]);
  const events = createEvents(log, publishing);
  const runner = (lane: Pick<TaskRunnerOptions, 'table' | 'most'>): TaskRunner =>
    createTaskRunner({
      ...lane,
      store: log,
      clock,
      tasks,
      holder,
      handlers: { ...runs.handlers, ...triggers.handlers, ...interactions.handlers },
      onError: ({ error, task }) => logger.error({ err: error, task }, 'A task failed and will be tried again.'),
      alone: true,
      graceOver: stopping.graceOver,
    });
  const taskRunners = [runner({}), ...lanes.map(([, lane]) => runner(lane))];
  const operations: Operation[] = [
    ...playbookOperations(playbooks),
    ...definitionOperations(definitions, playbooks, { recall: views.standing }),
    ...runOperations(runs, playbooks, definitions),
    ...interactionOperations(interactions, runs, playbooks),
    ...eventOperations(events, playbooks),
    ...folderOperations(createFolders(log, playbooks, definitions), playbooks),
    ...analyticsOperations(createAnalytics(log, clock)),
    ...connections.operations,
    ...toolOperations(tools, createExecute({ tools, log, ids }), playbooks),
    ...modelOperations(models),
    ...providerOperations(providerKeys, models, 'local'),
    ...agentOperations({ dataDir: settings.dataDir, bundle: studio.assets.has(BUNDLE) ? BUNDLE : undefined }),
  ];

  const ownOrigins = new Set<string>();
  const callables = operations.map((operation) => announcing(makeCallable(operation), () => mcp.toolsChanged()));
  const guides = readGuides({ reasoning: () => models.guideSentence() });
  const mcp = createMcpFace({
    callables,
    guides: () => guides,
    mayActForPeople: () => settings.mcpAnswers(),
    requirePlaybook: (place) => playbooks.refuseUnknown(place),
    clock,
    ids,
    logger,
    version: VERSION,
    stopping: stopping.begun,
  });
  const http: FastifyInstance = createHttpServer({
    callables,
    mcp: mcp.serve,
    descriptions: {
      openapi: JSON.stringify(openapiDocument(operations, VERSION)),
      guides,
      health: () => ({
        status: stopping.begun.aborted ? 'stopping' : 'ok',
        version: VERSION,
        mode,
        store: 'sqlite',
      }),
      studio,
    },
    browsers: {
      isAllowedOrigin: (origin) =>
        ownOrigins.has(origin) || settings.allowedOrigins.includes(origin) || origin === settings.studioOrigin,
    },
    ids,
    logger,
    stopping: stopping.begun,
  });

  const activity = watchActivity(http.server, clock);

  return {
    operations,
    keyHome: createKeyHome({ given, dataDir: settings.dataDir, keeper, secrets, wrapper: options.keyWrapper }),
    async listen() {
      await Promise.all([connections.load(), providerKeys.load()]);
      const ended = await runs.endInterrupted();
      if (ended > 0) logger.warn({ runs: ended }, 'Runs that an earlier start left behind were ended as failed.');
      await views.start();
      const port = await listenOn(http, settings);
      for (const host of ['localhost', '127.0.0.1', '[::1]']) ownOrigins.add(`http://${host}:${port}`);
      const host = settings.host.includes(':') ? `[${settings.host}]` : settings.host;
      ownAddress = `http://${host}:${port}`;
      // What goes on may name the address to others.
      for (const one of taskRunners) one.start();
      return ownAddress;
    },
    async isIdle(milliseconds) {
      return activity.idleFor() >= milliseconds && !(await runs.goOn()) && !(await triggers.areSet());
    },
    async close() {
      stopping.begin();
      stopWatching();
      await Promise.all([runs.stop(), ...taskRunners.map((one) => one.stop())]);
      stopping.ended();
      await views.stop();
      await mcp.close();
      await http.close();
      models.close();
      await tools.close();
      connections.close();
      await telemetry.close();
      await kinds.close();
      await schemas.close();
      await textWork.close();
      await log.close();
    },
  };
}
