// One tool server as it runs: how it is reached, how many may ask it at once, what it listed last, what is secret.
//
// 1. What it lists and raises leaves here scrubbed of the entry's secrets, once and for all.
// 2. Reads ask it each time, but those that ask at the same time share one listing. Calls take what it listed within
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
import { type StartLimits, startLimitsOf } from './mcp/start-limits.ts';
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
const MOST_WARNINGS = 100;
/** How many tools a sentence names. */
const MOST_NAMED = 5;
const MOST_CONCURRENT = { stdio: 4, mcp: 16, openapi: 16 } as const;

/** How long reads wait for a program that may be installed first. */
const SOON_INSTALLED_MS = 10_000;
const LOOK_AGAIN_SECONDS = 5;
const INSTALLING =
  'Its package manager is installing it, or starting it. The first start can take some minutes; try again shortly.';
const NOT_LISTED = new ServerFault('unreachable', 'It did not list its tools in time.');
const NOT_CONNECTED = new ServerFault('unreachable', 'It could not be connected to in time.');

interface RunningServerOptions {
  entry: ToolServer;
  connectionId?: string;
  clock: Clock;
  logger: Pick<Logger, 'warn'>;
  scrubber: Scrubber;
  connector: Connector;
}

/** One listing of the tools of a server, which several callers may wait for. */
interface Listing {
  turn: Promise<void>;
  tools: Promise<readonly ListedTool[]>;
}

export class RunningServer {
  readonly entry: ToolServer;
  /** Of a connection that a person added: its id. */
  readonly connectionId: string | undefined;
  readonly scrubber: Scrubber;
  readonly gate: Gate;
  readonly #clock: Clock;
  readonly #logger: Pick<Logger, 'warn'>;
  readonly #connector: Connector;
  readonly #limits: StartLimits | undefined;
  readonly #scrubbedTools = new WeakMap<ListedTool, ListedTool>();
  /** The listings in progress: requests wait for their turn no longer than ten seconds, the runtime itself waits longer. */
  readonly #listings: { requests?: Listing | undefined; own?: Listing | undefined } = {};
  readonly #warned = new Set<string>();
  #listed: { tools: readonly ListedTool[]; leftOut: string | undefined; age: Age } | undefined;

  constructor({ entry, connectionId, scrubber, clock, logger, connector }: RunningServerOptions) {
    this.entry = entry;
    this.connectionId = connectionId;
    this.scrubber = scrubber;
    this.gate = createGate(MOST_CONCURRENT[entry.type], clock, () => busy(entry));
    this.#clock = clock;
    this.#logger = logger;
    this.#connector = connector;
    this.#limits = entry.type === 'stdio' ? startLimitsOf(entry) : undefined;
  }

  /**
   * Asks the server what it has, whatever it had before.
   * @param onTurn called when it is asked
   * @param waits `soon`: does not wait for a program that is being installed
   * @throws ServerFault, Refused `unavailable`
   */
  async list(onTurn?: () => void, waits?: 'soon'): Promise<readonly ListedTool[]> {
    const own = ownWork();
    const by = own === undefined ? 'requests' : 'own';
    // Others join it: it does not end with the work that asks first.
    const listing = (this.#listings[by] ??=
      own === undefined ? this.#beginListing(by) : asOwnWork(shared(own), () => this.#beginListing(by)));
    await whileWaiting(listing.turn);
    onTurn?.();
    return waits === 'soon' ? this.#soon(listing.tools) : listing.tools;
  }

  /** A connection, for a transaction that is behind the gate. @throws ServerFault */
  open(signal: AbortSignal | undefined): Promise<Connection> {
    const connect = (until: AbortSignal): Promise<Connection> => this.#connector.open(until);
    const callerMs = this.#limits?.callerMs;
    return callerMs === undefined
      ? this.#within(LIMITS_MS.connect, connect, () => NOT_CONNECTED, signal)
      : this.#within(callerMs, connect, () => this.#notStarted(callerMs), signal);
  }

  /** The tool among those that the server listed, lately or now. @throws ServerFault */
  async findTool(
    connection: Connection,
    name: string,
    signal: AbortSignal | undefined,
  ): Promise<ListedTool | undefined> {
    const lately = this.#listed !== undefined && this.#listed.age() < KEEP_LISTING_MS ? this.#listed.tools : [];
    const named = (tools: readonly ListedTool[]): ListedTool | undefined => tools.find((tool) => tool.name === name);
    return named(lately) ?? named(await this.#ask(connection, signal));
  }

  /** Refuses a call that its connection may not send. @throws ServerFault, Refused `unavailable` */
  requireCallable(tool: ListedTool): Promise<void> {
    return this.gate.pass(async () => {
      const connection = await this.open(undefined);
      try {
        await connection.requireCallable?.(tool);
      } finally {
        await connection.close();
      }
    });
  }

  /** Which tools of the last list cannot be used, and why, in a sentence; undefined where there are none. */
  leftOut(): string | undefined {
    return this.#listed?.leftOut;
  }

  /** The names of the tools that it listed last and that the operator allows; undefined where that is not known. */
  known(): string[] | undefined {
    return this.#listed?.tools.flatMap(({ name }) => (isAllowed(this.entry, name) ? [name] : []));
  }

  forgetListing(): void {
    this.#listed = undefined;
  }

  close(): Promise<void> {
    return this.#connector.close();
  }

  /** Runs a step with a deadline. */
  async #within<T>(
    milliseconds: number,
    step: (signal: AbortSignal) => Promise<T>,
    tooLong: () => ServerFault,
    signal?: AbortSignal,
  ): Promise<T> {
    const deadline = startDeadline(this.#clock, milliseconds, signal);
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
      // A step that was aborted may fail with any message.
      if (deadline.signal.aborted) throw tooLate();
      if (!(error instanceof ServerFault)) throw new ServerFault('failing', 'Its response could not be read.');
      throw new ServerFault(error.because, this.scrubber.text(error.message), error.retryAfter, error.isInstalling);
    } finally {
      deadline.callOff();
    }
  }

  #beginListing(by: 'requests' | 'own'): Listing {
    const { promise: turn, resolve, reject } = Promise.withResolvers<void>();
    const tools = this.gate.pass(async () => {
      resolve();
      const connection = await this.open(undefined);
      try {
        return await this.#ask(connection);
      } finally {
        await connection.close();
      }
    });
    const isOver = (): void => {
      this.#listings[by] = undefined;
    };
    tools.then(isOver, (error: unknown) => {
      isOver();
      reject(error);
    });
    return { turn, tools };
  }

  async #ask(connection: Connection, signal?: AbortSignal): Promise<readonly ListedTool[]> {
    const list = (until: AbortSignal): Promise<ToolListing> => connection.list(until);
    const given = await this.#within(LIMITS_MS.list, list, () => NOT_LISTED, signal);
    const scrubbed = given.tools.map((tool) => this.#scrubTool(tool));
    const leftOut = leftOutWords(given.leftOut.map(this.scrubber.text));
    this.#listed = { tools: scrubbed, leftOut, age: ageIn(this.#clock) };
    if (leftOut !== undefined)
      this.#warnOnce(leftOut, { left_out: leftOut }, 'Tools that a tool server lists are left out.');
    this.#warnOfIdle(scrubbed.map(({ name }) => name));
    return scrubbed;
  }

  /** Warns the operator, once, about an entry that allows no tool: mostly a mistyped name. */
  #warnOfIdle(names: readonly string[]): void {
    for (const form of idleForms(this.entry, names)) {
      const near = nearestName(form, names);
      const meant = near === undefined ? {} : { meant: near };
      this.#warnOnce(form, { allowed: form, ...meant }, 'An entry of `allowed` fits no tool of the server.');
    }
  }

  #warnOnce(about: string, fields: Record<string, string>, words: string): void {
    if (this.#warned.has(about) || this.#warned.size >= MOST_WARNINGS) return;
    this.#warned.add(about);
    this.#logger.warn({ tool_server: this.entry.name, ...fields }, words);
  }

  /** A document's tools are the same objects each time, and may be many and large. */
  #scrubTool(tool: ListedTool): ListedTool {
    const known = this.#scrubbedTools.get(tool);
    if (known !== undefined) return known;
    const scrubbed: ListedTool = {
      ...tool,
      name: this.scrubber.text(tool.name),
      description: this.scrubber.text(tool.description),
      argumentNames: () => tool.argumentNames().map(this.scrubber.text),
      inputSchema: () => this.scrubber.json(tool.inputSchema()) as JsonObject,
    };
    this.#scrubbedTools.set(tool, scrubbed);
    return scrubbed;
  }

  /** @param waitedMs undefined: nobody waits for its end */
  #notStarted(waitedMs?: number): ServerFault {
    const { isInstalling, lastWords } = this.#connector.opening?.() ?? { isInstalling: false, lastWords: '' };
    if (isInstalling) return new ServerFault('unreachable', INSTALLING, LOOK_AGAIN_SECONDS, true);
    const words =
      waitedMs === undefined
        ? 'The server is still starting.'
        : `The server did not start within ${periodWords({ milliseconds: waitedMs })}; \`start_timeout\` of its entry sets another limit.`;
    return new ServerFault('unreachable', `${words}${lastWords}`, LOOK_AGAIN_SECONDS);
  }

  /** The tools, or that the program is not there yet. */
  async #soon(listing: Promise<readonly ListedTool[]>): Promise<readonly ListedTool[]> {
    if (this.#limits === undefined) return listing;
    const deadline = startDeadline(this.#clock, this.#limits.installs ? SOON_INSTALLED_MS : LIMITS_MS.start);
    try {
      const done = await untilAborted(
        listing.then((tools) => ({ tools })),
        deadline.signal,
      );
      if (done !== undefined) return done.tools;
    } finally {
      deadline.callOff();
    }
    if (this.#connector.opening?.() !== undefined) throw this.#notStarted();
    return listing;
  }
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
  return unavailable(
    `The tool server ${name} is busy with ${MOST_CONCURRENT[type]} other requests; try again shortly.`,
    {
      kind: 'tool_server_failed',
      because: 'rate_limited',
      retryAfter: BUSY_SECONDS,
    },
  );
}
