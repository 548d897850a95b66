// The third step of the composition: the operations over HTTP and MCP.
import { EventEmitter } from 'node:events';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { type Access, createRateLimits, limiting } from '../domain/access/index.ts';
import type { Domain } from './build-domain.ts';
import { createHttpServer, type StudioFiles } from '../interfaces/http/index.ts';
import { announcing, createMcpFace, type ToolChanges } from '../interfaces/mcp/index.ts';
import { openapiDocument } from '../interfaces/openapi/index.ts';
import type { Ids } from '../kernel/ids.ts';
import type { DatabaseStanding, StoreCounters } from '../kernel/log/index.ts';
import { type Clock, stopwatch } from '../lib/clock.ts';
import { makeCallable } from '../operations/index.ts';
import type { OwnAddress } from './own-address.ts';
import { readGuides } from './resources.ts';
import type { Settings } from '../settings/index.ts';
import { VERSION } from './version.ts';

export interface InterfacesOptions {
  settings: Settings;
  access: Access;
  domain: Pick<Domain, 'operations' | 'modelsGuide' | 'requirePlaybook'>;
  address: Pick<OwnAddress, 'isOwnOrigin'>;
  studio: StudioFiles;
  store: {
    kind: 'sqlite' | 'postgres';
    counters: Readonly<StoreCounters>;
    standing: Pick<DatabaseStanding, 'isReachable'> | undefined;
  };
  clock: Clock;
  ids: Ids;
  logger: Logger;
  /** Aborted when the service stops. */
  stopping: AbortSignal;
}

export interface Interfaces {
  http: FastifyInstance;
  close(): Promise<void>;
}

export function buildInterfaces(options: InterfacesOptions): Interfaces {
  const { settings, access, domain, address, studio, store, clock, ids, logger, stopping } = options;
  const upMs = stopwatch(clock);
  const toolChanges: ToolChanges = new EventEmitter();
  const { mode, rateLimit, trustedProxies } = settings;
  const limits = mode === 'published' && rateLimit > 0 ? createRateLimits({ commands: rateLimit, clock }) : undefined;
  const callables = domain.operations.map((operation) =>
    limiting(announcing(makeCallable(operation), toolChanges), limits),
  );
  const guides = readGuides({ reasoning: domain.modelsGuide });
  const mcp = createMcpFace({
    callables,
    toolChanges,
    guides: () => guides,
    mayActForPeople: () => settings.mcpAnswers(),
    requirePlaybook: domain.requirePlaybook,
    clock,
    ids,
    logger,
    version: VERSION,
  });
  let document: string | undefined;
  const http = createHttpServer({
    callables,
    mcp: mcp.serve,
    descriptions: {
      // Built for its first reader: many servers never have one.
      get openapi() {
        document ??= JSON.stringify(openapiDocument(domain.operations, VERSION));
        return document;
      },
      guides,
      publicUrl: settings.publicUrl,
      health: () => ({
        status: stopping.aborted ? 'stopping' : store.standing?.isReachable() === false ? 'failing' : 'ok',
        version: VERSION,
        mode: access.mode,
        store: store.kind,
        // In the published mode anyone may ask for the health, and how much work there is concerns the operator alone.
        ...(mode === 'local' ? { work: { seconds: upMs() / 1000, ...store.counters } } : {}),
      }),
      studio,
    },
    access,
    uploadFolder: path.join(settings.dataDir, 'uploads'),
    limits,
    trustedProxies,
    browsers: { isAllowedOrigin: address.isOwnOrigin },
    clock,
    ids,
    logger,
    stopping,
  });
  return {
    http,
    async close() {
      await mcp.close();
      await http.close();
    },
  };
}
