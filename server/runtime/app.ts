// The composition root: settings in, a runtime that can listen and be closed out. It is built in three steps: the
// stores, the domain, and the interfaces.
import type { Logger } from 'pino';
import { watchActivity } from './activity.ts';
import { buildDomain } from './build-domain.ts';
import { buildInterfaces } from './build-interfaces.ts';
import type { StudioFiles } from '../interfaces/http/index.ts';
import type { KeyHome, KeyWrapper } from '../kernel/secrets/index.ts';
import { createStopping } from '../kernel/stopping.ts';
import { type Clock, createFollowingClock, systemClock } from '../lib/clock.ts';
import { followDatabase } from './follow-database.ts';
import { listenOn } from './listen-port.ts';
import { openStores, requireDataKeys, type StoreOptions } from './open-stores.ts';
import type { Operation } from '../operations/index.ts';
import { createOwnAddress } from './own-address.ts';
import { type Settings, watchSettings } from '../settings/index.ts';
import { createAccess, type IdentityService } from '../domain/access/index.ts';
import { BUNDLE, readStudio } from './studio.ts';
import { requireStudioClient, withSignIn } from './studio-sign-in.ts';

export interface RuntimeOptions {
  settings: Settings;
  logger: Logger;
  clock?: Clock;
  /** The studio's files; those that were built when absent. */
  studio?: StudioFiles;
  /** Called when a commit failed and it is unknown whether it happened: the process must exit. */
  onUnknownCommit: (sentence: string) => void;
  /** Opens the store on SQLite; absent: as it is. */
  openStore?: StoreOptions['openStore'];
  /** The operating system's own store, where a desktop app lends it. */
  keyWrapper?: KeyWrapper | undefined;
  /** True: it carries out no tasks, and leaves them to the next runtime on the same data. */
  leavesTasks?: boolean;
}

export interface Runtime {
  /** Everything that it can do. */
  operations: readonly Operation[];
  /** Listens; answers the address, for example `http://127.0.0.1:4747`. */
  listen(): Promise<string>;
  /** Where the data key of the secret store is kept. */
  keyHome: KeyHome;
  /** Whether there was no client for so many milliseconds, and there is no run, trigger or timer. */
  isIdle(milliseconds: number): Promise<boolean>;
  /** Carries out work that no other process on the same database carries out meanwhile. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Refuses new runs, gives those in progress the grace of a stop, then closes everything. */
  close(): Promise<void>;
}

/** @throws UnusableStoreError */
export function createRuntime(options: RuntimeOptions): Runtime {
  const { settings, logger } = options;
  // Processes that share a database share its clock: leases and due times are the same for all of them.
  const shared = createFollowingClock(systemClock);
  const clock = options.clock ?? shared;
  const files = options.studio ?? readStudio();
  let service: IdentityService | undefined;
  const studio = settings.mode === 'local' ? files : withSignIn(files, settings, () => service);
  const stores = openStores({ ...options, clock });
  const { standing } = stores.log;
  if (standing !== undefined) followDatabase(standing, { clock: shared, machine: systemClock, logger });
  const stopping = createStopping(clock);
  const address = createOwnAddress(settings);
  const common = { settings, mode: settings.mode, address, clock, logger } as const;
  const bundle = studio.assets.has(BUNDLE) ? BUNDLE : undefined;
  const domain = buildDomain({ ...common, stores, bundle, stopping });
  const access = createAccess({ settings, isAllowedOrigin: address.isOwnOrigin, clock });
  const interfaces = buildInterfaces({
    ...common,
    access,
    domain,
    studio,
    store: { kind: settings.database.kind, counters: stores.log.counters, standing },
    ids: stores.ids,
    stopping: stopping.begun,
  });
  const activity = watchActivity(interfaces.http.server, clock);
  // Files change by the system's time, whatever time it is for runs.
  const stopWatching = watchSettings(settings, logger, systemClock);

  /** Nothing is begun before the store is open. */
  let isOpen = false;
  let closing: Promise<void> | undefined;

  async function close(): Promise<void> {
    stopping.begin();
    stopWatching();
    if (isOpen) await domain.stopWork();
    stopping.ended();
    await interfaces.close();
    await domain.close();
    access.close();
    await stores.log.close();
  }

  return {
    operations: domain.operations,
    keyHome: stores.keyHome,
    async listen() {
      await stores.log.opened();
      isOpen = true;
      await requireDataKeys(stores.secrets, settings);
      service = await access.load();
      requireStudioClient(settings, service);
      await domain.load();
      const listening = address.listensOn(await listenOn(interfaces.http, settings));
      if (options.leavesTasks !== true) domain.startTasks();
      return listening;
    },
    alone: (work) => (standing === undefined ? work() : standing.alone(work)),
    isIdle: async (milliseconds) => activity.idleFor() >= milliseconds && !(await domain.isBusy()),
    close: () => (closing ??= close()),
  };
}
