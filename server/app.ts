// The composition root: settings in, a runtime that can listen and be closed out.
import { mkdirSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { analyticsOperations, createAnalytics } from './analytics/index.ts';
import {
  createDefinitions,
  definitionMigrations,
  definitionOperations,
  definitionProjection,
} from './definitions/index.ts';
import { createEvents, eventOperations } from './events/index.ts';
import { createFolders, folderOperations } from './folders/index.ts';
import { createHttpServer } from './http/index.ts';
import { type Clock, systemClock } from './kernel/clock.ts';
import { contentMigrations } from './kernel/contents/index.ts';
import { createIds } from './kernel/ids.ts';
import { createEventLog, type EventLog, logMigrations, openSqliteStore } from './kernel/log/index.ts';
import { createSchemaChecker } from './kernel/schemas/index.ts';
import { taskMigrations } from './kernel/tasks/index.ts';
import { createKinds } from './kinds/registry.ts';
import { openapiDocument } from './openapi/index.ts';
import { makeCallable, type Operation } from './operations/index.ts';
import { createPlaybooks, playbookMigrations, playbookOperations, playbookProjection } from './playbooks/index.ts';
import { readGuides } from './resources.ts';
import { createRuns, runMigrations, runOperations, runProjection } from './runs/index.ts';
import type { Settings } from './settings/index.ts';
import { startPage } from './start-page.ts';
import { VERSION } from './version.ts';

const MIGRATIONS = [
  ...logMigrations,
  ...contentMigrations,
  ...taskMigrations,
  ...playbookMigrations,
  ...definitionMigrations,
  ...runMigrations,
];
const PROJECTIONS = [playbookProjection, definitionProjection, runProjection];

export interface RuntimeOptions {
  settings: Settings;
  logger: Logger;
  clock?: Clock;
  /** Called when a commit failed and whether it happened is unknown: the process is to end. */
  onUnknownCommit: (sentence: string) => void;
}

export interface Runtime {
  /** Listens; answers the address, for example `http://127.0.0.1:4747`. */
  listen(): Promise<string>;
  /** Refuses new runs, lets those that go on end, then closes everything. */
  close(): Promise<void>;
}

/** Opens the store alone, for what needs no server. The caller closes it. @throws UnusableStoreError */
export function openLog(settings: Settings, clock: Clock, onUnknownCommit: (sentence: string) => void): EventLog {
  mkdirSync(settings.dataDir, { recursive: true, mode: 0o700 });
  const store = openSqliteStore({ file: settings.databaseFile, migrations: MIGRATIONS, clock, onUnknownCommit });
  return createEventLog({ store, projections: PROJECTIONS, clock, ids: createIds(clock) });
}

export function createRuntime(options: RuntimeOptions): Runtime {
  const { settings, logger, clock = systemClock } = options;
  const log = openLog(settings, clock, options.onUnknownCommit);
  const ids = createIds(clock);
  const schemas = createSchemaChecker();
  const kinds = createKinds(schemas);
  const stopping = new AbortController();

  const playbooks = createPlaybooks(log);
  const definitions = createDefinitions(log, kinds.byType);
  const runs = createRuns({ log, kinds: kinds.byType, schemas, ids, holder: ids(), logger });
  const events = createEvents({ log, clock, ids });
  const operations: Operation[] = [
    ...playbookOperations(playbooks),
    ...definitionOperations(definitions, playbooks),
    ...runOperations(runs, playbooks, definitions),
    ...eventOperations(events, playbooks),
    ...folderOperations(createFolders(log, playbooks, definitions), playbooks),
    ...analyticsOperations(createAnalytics(log, clock)),
  ];

  const ownOrigins = new Set<string>();
  const http: FastifyInstance = createHttpServer({
    callables: operations.map(makeCallable),
    descriptions: {
      openapi: JSON.stringify(openapiDocument(operations, VERSION)),
      guides: readGuides(),
      health: () => ({
        status: stopping.signal.aborted ? 'stopping' : 'ok',
        version: VERSION,
        mode: 'local',
        store: 'sqlite',
      }),
      page: startPage(VERSION),
    },
    browsers: {
      isAllowedOrigin: (origin) =>
        ownOrigins.has(origin) || settings.allowedOrigins.includes(origin) || origin === settings.studioOrigin,
    },
    ids,
    logger,
    stopping: stopping.signal,
  });

  return {
    async listen() {
      const ended = await runs.endInterrupted();
      if (ended > 0) logger.warn({ runs: ended }, 'Runs that an earlier start left behind were ended as failed.');
      const port = await listenOnFreePort(http, settings);
      for (const host of ['localhost', '127.0.0.1', '[::1]']) ownOrigins.add(`http://${host}:${port}`);
      const host = settings.host.includes(':') ? `[${settings.host}]` : settings.host;
      return `http://${host}:${port}`;
    },
    async close() {
      stopping.abort();
      await runs.stop();
      await http.close();
      await kinds.close();
      await schemas.close();
      await log.close();
    },
  };
}

const FIRST_PORT = 4747;
const PORTS_TRIED = 50;

/** Takes the port asked for, or the first free one from 4747 on when none was asked for. */
async function listenOnFreePort(http: FastifyInstance, { host, port }: Settings): Promise<number> {
  const last = port ?? FIRST_PORT + PORTS_TRIED;
  for (let candidate = port ?? FIRST_PORT; ; candidate += 1) {
    try {
      await http.listen({ host, port: candidate });
      const address = http.server.address();
      return typeof address === 'object' && address !== null ? address.port : candidate;
    } catch (error) {
      const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
      if (!isTaken || candidate >= last) throw error;
    }
  }
}
