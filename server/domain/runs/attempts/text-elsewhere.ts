// The text that a run's model is writing, for followers in another process that shares the store.
//
// 1. The process of the followers requests the text every few seconds. The process that executes the attempt sends each piece
//    until the attempt has ended, or no request has come for a while.
// 2. Pieces are sent as notifications, which may be lost. They are numbered: after a gap the process requests the text anew,
//    and gets it from its beginning.
// 3. The followers in one process share one text. It ends after the last piece; if that is lost, once the attempt has ended, or
//    its process does not respond.
import type { Clock } from '../../../lib/clock.ts';
import { startDeadline, untilAborted } from '../../../lib/deadline.ts';
import type { SharedStore } from '../../../kernel/log/index.ts';
import { randomHex } from '../../../lib/random.ts';
import type { AwaitElsewhere, ElsewhereAttempt, NamedRun } from './elsewhere.ts';
import type { LiveAttempt } from './live-attempts.ts';
import type { TextPiece } from '../durable/invocation.ts';
import { createLiveText, type LiveText } from './live-text.ts';

/** Yields the text of an attempt in another process, as `LiveText.follow` does. */
export type FollowElsewhere = (attempt: ElsewhereAttempt, signal: AbortSignal) => AsyncIterable<TextPiece>;

export interface TextElsewhereOptions {
  shared: Pick<SharedStore, 'announce' | 'onAnnounced'>;
  clock: Clock;
  /** The attempt in progress here. */
  find: (run: NamedRun) => Pick<LiveAttempt, 'text'> | undefined;
  awaitElsewhere: AwaitElsewhere;
}

const WANTED = 'text wanted ';
const PIECE = 'text piece ';

interface Wanted extends NamedRun {
  /** Names the request; another one gets the text from its beginning. */
  to: string;
}

/** Without a piece: the attempt is over. */
type NumberedPiece = { number: number } & (TextPiece | { from?: undefined });

const ASKED_EVERY_MS = 5000;
const SENT_FOR_MS = 15_000;
/** How long the last piece may come after the attempt has ended. */
const LAST_PIECE_MS = 1000;
/** A notification has at most 8,000 bytes. A character takes up to seven: JSON, escaped in a text within JSON. */
const SENT_TOGETHER = /.{1,1000}/gsu;

export function createFollowElsewhere(options: TextElsewhereOptions): FollowElsewhere {
  const { shared } = options;
  const send = createSending(options);
  /** By the name of the request for the text. */
  const receivers: Receivers = new Map();
  const received = new Map<string, ReceivedText>();

  shared.onAnnounced((topic) => {
    if (topic.startsWith(WANTED)) void send(JSON.parse(topic.slice(WANTED.length)) as Wanted);
    if (!topic.startsWith(PIECE)) return;
    const [to = '', ...piece] = topic.slice(PIECE.length).split(' ');
    receivers.get(to)?.(JSON.parse(piece.join(' ')) as NumberedPiece);
  });

  return async function* follow(attempt, signal) {
    const key = JSON.stringify([attempt.org, attempt.playbook, attempt.runId, attempt.attempt]);
    const text = received.get(key) ?? new ReceivedText(options, receivers, attempt);
    received.set(key, text);
    text.followers += 1;
    try {
      yield* text.follow(signal);
    } finally {
      text.followers -= 1;
      if (text.followers === 0) {
        text.leave();
        received.delete(key);
      }
    }
  };
}

type Receivers = Map<string, (piece: NumberedPiece) => void>;

/** The text of an attempt in another process. It is requested until it has ended, or no follower is left. */
class ReceivedText {
  followers = 0;
  readonly #options: TextElsewhereOptions;
  readonly #receivers: Receivers;
  readonly #attempt: ElsewhereAttempt;
  readonly #text: LiveText;
  readonly #leaving = new AbortController();
  /** Aborted after the last piece. */
  readonly #over = new AbortController();
  #to = '';
  #next = 0;
  #end = 0;
  #cancelTimer = (): void => {};

  constructor(options: TextElsewhereOptions, receivers: Receivers, attempt: ElsewhereAttempt) {
    this.#options = options;
    this.#receivers = receivers;
    this.#attempt = attempt;
    this.#text = createLiveText(options.clock);
    this.#requestAnew();
    void this.#untilOver().finally(() => {
      this.#cancelTimer();
      receivers.delete(this.#to);
      this.#text.end();
    });
  }

  follow(signal: AbortSignal): AsyncGenerator<TextPiece> {
    return this.#text.follow(signal);
  }

  leave(): void {
    this.#leaving.abort();
  }

  #requestAnew(): void {
    this.#receivers.delete(this.#to);
    this.#to = randomHex(8);
    this.#next = 0;
    this.#receivers.set(this.#to, (piece) => this.#take(piece));
    this.#request();
  }

  #request(): void {
    const { shared, clock } = this.#options;
    const { org, playbook, runId } = this.#attempt;
    this.#cancelTimer();
    const wanted: Wanted = { org, playbook, runId, to: this.#to };
    shared.announce(WANTED + JSON.stringify(wanted));
    this.#cancelTimer = clock.wakeAfter(ASKED_EVERY_MS, () => this.#request());
  }

  #take(piece: NumberedPiece): void {
    if (piece.number !== this.#next) return this.#requestAnew();
    if (piece.from === undefined) return this.#over.abort();
    if (this.#next === 0 || piece.from !== this.#end) this.#text.begin(piece.from);
    this.#text.add(piece.text);
    this.#next += 1;
    this.#end = piece.from + piece.text.length;
  }

  async #untilOver(): Promise<void> {
    const { clock, awaitElsewhere } = this.#options;
    const signal = AbortSignal.any([this.#over.signal, this.#leaving.signal]);
    // Where its process does not respond the text has ended, too: a caller may follow the run again.
    await awaitElsewhere(this.#attempt, signal).catch(() => {});
    const lastPiece = startDeadline(clock, LAST_PIECE_MS, signal);
    await untilAborted(new Promise(() => {}), lastPiece.signal);
    lastPiece.callOff();
  }
}

/** Sends the text of an attempt in progress here to the process that requests it, or continues to send it. */
function createSending({ shared, clock, find }: TextElsewhereOptions): (wanted: Wanted) => Promise<void> {
  /** By the name of the request: prolongs the sending. */
  const prolonged = new Map<string, () => void>();

  return async ({ to, ...run }) => {
    const prolong = prolonged.get(to);
    if (prolong !== undefined) return prolong();
    const attempt = find(run);
    if (attempt === undefined) return;
    const unwanted = new AbortController();
    let callOff = (): void => {};
    const sendOn = (): void => {
      callOff();
      callOff = clock.wakeAfter(SENT_FOR_MS, () => unwanted.abort());
    };
    let number = 0;
    const announce = (piece: object): void => {
      shared.announce(`${PIECE}${to} ${JSON.stringify({ number, ...piece })}`);
      number += 1;
    };
    prolonged.set(to, sendOn);
    sendOn();
    for await (const { from, text } of attempt.text().follow(unwanted.signal)) {
      let at = from;
      for (const part of text.match(SENT_TOGETHER) ?? ['']) {
        announce({ from: at, text: part });
        at += part.length;
      }
    }
    if (!unwanted.signal.aborted) announce({});
    callOff();
    prolonged.delete(to);
  };
}
