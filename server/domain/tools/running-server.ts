// One tool server as it runs: how it is reached, how many may ask it at once, what it listed last, what is secret.
//
// 1. What it lists and raises leaves here scrubbed of the entry's secrets, once and for all.
// 2. Reads ask it each time, but those that ask at the same time share one asking. Calls take what it listed within
//    the last minute.
// 3. Deadlines begin behind the gate.
import type { Logger } from 'pino';
import type { JsonObject } from '../../../shared/json.ts';
import { nearestName } from '../../../shared/nearest-name.ts';
import { type Age, ageIn, type Clock } from '../../lib/clock.ts';
import { createGate, type Gate } from '../../lib/gate.ts';
import { asOwnWork, type OwnWork, ownWork, whileWaiting } from '../../lib/own-work.ts';
import { type Refused, unavailable } from '../../lib/rejection.ts';
import { createScrubber, type Scrubber } from '../../lib/scrub/index.ts';
import { harmless } from '../../lib/harmless.ts';
import type { ToolServer } from '../../settings/index.ts';
import { startDeadline, untilAborted } from '../../lib/deadline.ts';
import { periodWords } from '../../lib/duration.ts';
import { startLimitsOf } from './mcp/start-limits.ts';
import { idleForms, isAllowed } from './tool-names.ts';
import {
  type Connection,
  type Connector,
  LIMITS_MS,
  type ListedTool,
  type ToolListing,
  ServerFault,
} from './server.ts';

const KEEP_LISTING_MS = 60_000;
/** A server may list something else wrong each time. */
const MOST_TOLD = 100;
/** How many tools a sentence names. */
const MOST_NAMED = 5;
const MOST_AT_ONCE = { stdio: 4, mcp: 16, openapi: 16 } as const;

/** How long reads wait for a program that may be installed first. */
const SOON_INSTALLED_MS = 10_000;
const LOOK_AGAIN_SECONDS = 5;
const INSTALLING =
  'Its package manager is installing it, or starting it. The first start can take some minutes; try again shortly.';
const NOT_LISTED = new ServerFault('unreachable', 'It did not list its tools in time.');
const NOT_CONNECTED = new ServerFault('unreachable', 'It could not be connected to in time.');

export interface RunningServer {
  entry: ToolServer;
  /** Of a connection that a person added: its id. */
  connectionId?: string;
  scrubber: Scrubber;
  gate: Gate;
  /**
   * Asks the server what it has, whatever it had before.
   * @param onTurn called when it is asked
   * @param waits `soon`: does not wait for a program that is being installed
   * @throws ServerFault, Refused `unavailable`
   */
  list: (onTurn?: () => void, waits?: 'soon') => Promise<readonly ListedTool[]>;
  /** A connection, for a work that is behind the gate. @throws ServerFault */
  open: (signal: AbortSignal | undefined) => Promise<Connection>;
  /** The tool among those that the server listed, lately or now. @throws ServerFault */
  findTool: (connection: Connection, name: string, signal: AbortSignal | undefined) => Promise<ListedTool | undefined>;
  /** Refuses a call that its connection may not send. @throws ServerFault, Refused `unavailable` */
  requireCallable: (tool: ListedTool) => Promise<void>;
  /** Which tools of the last list cannot be used, and why, in a sentence; undefined where there are none. */
  leftOut: () => string | undefined;
  /** The names of the tools that it listed last and that the operator allows; undefined where that is not known. */
  known: () => string[] | undefined;
  forgetListing: () => void;
  close: () => Promise<void>;
}

interface RunningServerOptions {
  entry: ToolServer;
  connectionId?: string;
  clock: Clock;
  logger: Pick<Logger, 'warn'>;
  scrubber: Scrubber;
  connector: Connector;
}

/** A question for the tools of a server, which several may wait for. */
interface Asking {
  turn: Promise<void>;
  tools: Promise<readonly ListedTool[]>;
}

export function createRunningServer(parts: RunningServerOptions): RunningServer {
  const { entry, connectionId, clock, logger, scrubber, connector } = parts;
  const gate = createGate(MOST_AT_ONCE[entry.type], clock, () => busy(entry));
  const scrubbedTools = new WeakMap<ListedTool, ListedTool>();
  /** What is asked now: requests wait for their turn no longer than ten seconds, the runtime's own work waits longer. */
  const askings: { requests?: Asking | undefined; own?: Asking | undefined } = {};
  const told = new Set<string>();
  let listed: { tools: readonly ListedTool[]; leftOut: string | undefined; age: Age } | undefined;

  /** Carries out a step that has so much time. */
  async function within<T>(
    milliseconds: number,
    step: (signal: AbortSignal) => Promise<T>,
    tooLong: () => ServerFault,
    signal?: AbortSignal,
  ): Promise<T> {
    const deadline = startDeadline(clock, milliseconds, signal);
    const tooLate = (): ServerFault =>
      deadline.isOver() ? tooLong() : new ServerFault('unreachable', 'The caller stopped waiting for it.');
    try {
      // Wrapped, since a step may well end with nothing.
      const done = await untilAborted(
        step(deadline.signal).then((value) => ({ value })),
        deadline.signal,
      );
      if (done !== undefined) return done.value;
      throw tooLate();
    } catch (error) {
      // A step that was broken off may fail in whatever words.
      if (deadline.signal.aborted) throw tooLate();
      if (!(error instanceof ServerFault)) throw new ServerFault('failing', 'Its response could not be read.');
      throw new ServerFault(error.because, scrubber.text(error.message), error.retryAfter, error.isInstalling);
    } finally {
      deadline.callOff();
    }
  }

  function beginAsking(by: keyof typeof askings): Asking {
    const { promise: turn, resolve, reject } = Promise.withResolvers<void>();
    const tools = gate.pass(async () => {
      resolve();
      const connection = await open(undefined);
      try {
        return await ask(connection);
      } finally {
        await connection.close();
      }
    });
    const isOver = (): void => {
      askings[by] = undefined;
    };
    tools.then(isOver, (error: unknown) => {
      isOver();
      reject(error);
    });
    return { turn, tools };
  }

  async function ask(connection: Connection, signal?: AbortSignal): Promise<readonly ListedTool[]> {
    const list = (until: AbortSignal): Promise<ToolListing> => connection.list(until);
    const given = await within(LIMITS_MS.list, list, () => NOT_LISTED, signal);
    const scrubbed = given.tools.map(scrubTool);
    const leftOut = leftOutWords(given.leftOut.map(scrubber.text));
    listed = { tools: scrubbed, leftOut, age: ageIn(clock) };
    if (leftOut !== undefined) warnOnce(leftOut, { left_out: leftOut }, 'Tools that a tool server lists are left out.');
    warnOfIdle(scrubbed.map(({ name }) => name));
    return scrubbed;
  }

  /** Tells the operator, once, of what allows no tool: mostly a name that was mistyped. */
  function warnOfIdle(names: readonly string[]): void {
    for (const form of idleForms(entry, names)) {
      const near = nearestName(form, names);
      const meant = near === undefined ? {} : { meant: near };
      warnOnce(form, { allowed: form, ...meant }, 'An entry of `allowed` fits no tool of the server.');
    }
  }

  function warnOnce(about: string, fields: Record<string, string>, words: string): void {
    if (told.has(about) || told.size >= MOST_TOLD) return;
    told.add(about);
    logger.warn({ tool_server: entry.name, ...fields }, words);
  }

  /** A document's tools are the same objects each time, and may be many and large. */
  function scrubTool(tool: ListedTool): ListedTool {
    const known = scrubbedTools.get(tool);
    if (known !== undefined) return known;
    const scrubbed: ListedTool = {
      ...tool,
      name: scrubber.text(tool.name),
      description: scrubber.text(tool.description),
      argumentNames: () => tool.argumentNames().map(scrubber.text),
      inputSchema: () => scrubber.json(tool.inputSchema()) as JsonObject,
    };
    scrubbedTools.set(tool, scrubbed);
    return scrubbed;
  }

  const limits = entry.type === 'stdio' ? startLimitsOf(entry) : undefined;

  const open: RunningServer['open'] = (signal) =>
    limits === undefined
      ? within(
          LIMITS_MS.connect,
          (until) => connector.open(until),
          () => NOT_CONNECTED,
          signal,
        )
      : within(
          limits.callerMs,
          (until) => connector.open(until),
          () => notStarted(limits.callerMs),
          signal,
        );

  /** @param waitedMs undefined: nobody waits for its end */
  function notStarted(waitedMs?: number): ServerFault {
    const { isInstalling, lastWords } = connector.opening?.() ?? { isInstalling: false, lastWords: '' };
    if (isInstalling) return new ServerFault('unreachable', INSTALLING, LOOK_AGAIN_SECONDS, true);
    const words =
      waitedMs === undefined
        ? 'The server is still starting.'
        : `The server did not start within ${periodWords({ milliseconds: waitedMs })}; \`start_timeout\` of its entry sets another limit.`;
    return new ServerFault('unreachable', `${words}${lastWords}`, LOOK_AGAIN_SECONDS);
  }

  /** The tools, or that the program is not there yet. */
  async function soon(listing: Promise<readonly ListedTool[]>): Promise<readonly ListedTool[]> {
    if (limits === undefined) return listing;
    const deadline = startDeadline(clock, limits.installs ? SOON_INSTALLED_MS : LIMITS_MS.start);
    try {
      const done = await untilAborted(
        listing.then((tools) => ({ tools })),
        deadline.signal,
      );
      if (done !== undefined) return done.tools;
    } finally {
      deadline.callOff();
    }
    if (connector.opening?.() !== undefined) throw notStarted();
    return listing;
  }

  return {
    entry,
    ...(connectionId === undefined ? {} : { connectionId }),
    scrubber,
    gate,
    open,
    async list(onTurn, waits) {
      const own = ownWork();
      const by = own === undefined ? 'requests' : 'own';
      // Others join it: it does not end with the work that asks first.
      const asking = (askings[by] ??=
        own === undefined ? beginAsking(by) : asOwnWork(shared(own), () => beginAsking(by)));
      await whileWaiting(asking.turn);
      onTurn?.();
      return waits === 'soon' ? soon(asking.tools) : asking.tools;
    },
    async findTool(connection, name, signal) {
      const lately = listed !== undefined && listed.age() < KEEP_LISTING_MS ? listed.tools : [];
      const named = (tools: readonly ListedTool[]): ListedTool | undefined => tools.find((tool) => tool.name === name);
      return named(lately) ?? named(await ask(connection, signal));
    },
    requireCallable: (tool) =>
      gate.pass(async () => {
        const connection = await open(undefined);
        try {
          await connection.requireCallable?.(tool);
        } finally {
          await connection.close();
        }
      }),
    leftOut: () => listed?.leftOut,
    known: () => listed?.tools.flatMap(({ name }) => (isAllowed(entry, name) ? [name] : [])),
    forgetListing() {
      listed = undefined;
    },
    close: () => connector.close(),
  };
}

function leftOutWords(leftOut: readonly string[]): string | undefined {
  if (leftOut.length === 0) return undefined;
  const named = leftOut.slice(0, MOST_NAMED).map(harmless);
  const more = leftOut.length - named.length;
  return `Left out: ${named.join('; ')}${more === 0 ? '' : `; and ${more} more`}.`;
}

function shared({ stopping }: OwnWork): OwnWork {
  return stopping === undefined ? {} : { stopping };
}

/** What is secret in an entry. */
export function scrubberOf({ secrets }: ToolServer): Scrubber {
  return createScrubber(secrets);
}

const BUSY_SECONDS = 5;

function busy({ name, type }: ToolServer): Refused {
  return unavailable(`The tool server ${name} is busy with ${MOST_AT_ONCE[type]} other requests; try again shortly.`, {
    kind: 'tool_server_failed',
    because: 'rate_limited',
    retryAfter: BUSY_SECONDS,
  });
}
