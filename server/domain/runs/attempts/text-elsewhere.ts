// The text that a run's model is writing, for followers in another process that shares the store.
//
// 1. The process of the followers asks for the text, and asks again every few seconds. The process that carries out the
//    attempt sends each piece until the attempt is over, or nobody has asked for a while.
// 2. Pieces are sent as notifications, which may be lost. They are numbered: after a gap the process asks anew, and gets the
//    text from its beginning.
// 3. The followers in one process share one text. It ends after the last piece; where that does not come, once the attempt
//    has ended, or its process does not respond.
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
  /** Names the asking; another one gets the text from its beginning. */
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
  const { shared, clock, awaitElsewhere } = options;
  const send = createSending(options);
  /** By what they asked with. */
  const receivers = new Map<string, (piece: NumberedPiece) => void>();
  const received = new Map<string, ReceivedText>();

  shared.onAnnounced((topic) => {
    if (topic.startsWith(WANTED)) void send(JSON.parse(topic.slice(WANTED.length)) as Wanted);
    if (!topic.startsWith(PIECE)) return;
    const [to = '', ...piece] = topic.slice(PIECE.length).split(' ');
    receivers.get(to)?.(JSON.parse(piece.join(' ')) as NumberedPiece);
  });

  /** Asks for the text until it has ended, or `leaving` is aborted. */
  function receive(attempt: ElsewhereAttempt, leaving: AbortSignal): LiveText {
    const { org, playbook, runId } = attempt;
    const text = createLiveText(clock);
    const over = new AbortController();
    let to = '';
    let [next, end] = [0, 0];
    let callOff = (): void => {};

    function ask(): void {
      callOff();
      const wanted: Wanted = { org, playbook, runId, to };
      shared.announce(WANTED + JSON.stringify(wanted));
      callOff = clock.wakeAfter(ASKED_EVERY_MS, ask);
    }
    function askAnew(): void {
      receivers.delete(to);
      to = randomHex(8);
      next = 0;
      receivers.set(to, take);
      ask();
    }
    function take(piece: NumberedPiece): void {
      if (piece.number !== next) return askAnew();
      if (piece.from === undefined) return over.abort();
      if (next === 0 || piece.from !== end) text.begin(piece.from);
      text.add(piece.text);
      next += 1;
      end = piece.from + piece.text.length;
    }

    askAnew();
    void untilOver(attempt, over.signal, leaving).finally(() => {
      callOff();
      receivers.delete(to);
      text.end();
    });
    return text;
  }

  /** @param over aborted after the last piece */
  async function untilOver(attempt: ElsewhereAttempt, over: AbortSignal, leaving: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([over, leaving]);
    // Where its process does not respond the text has ended, too: a caller may follow the run again.
    await awaitElsewhere(attempt, signal).catch(() => {});
    const lastPiece = startDeadline(clock, LAST_PIECE_MS, signal);
    await untilAborted(new Promise(() => {}), lastPiece.signal);
    lastPiece.callOff();
  }

  return async function* follow(attempt, signal) {
    const key = JSON.stringify([attempt.org, attempt.playbook, attempt.runId, attempt.attempt]);
    let shownHere = received.get(key);
    if (shownHere === undefined) {
      const leaving = new AbortController();
      shownHere = { text: receive(attempt, leaving.signal), followers: 0, leave: () => leaving.abort() };
      received.set(key, shownHere);
    }
    shownHere.followers += 1;
    try {
      yield* shownHere.text.follow(signal);
    } finally {
      shownHere.followers -= 1;
      if (shownHere.followers === 0) {
        shownHere.leave();
        received.delete(key);
      }
    }
  };
}

interface ReceivedText {
  text: LiveText;
  followers: number;
  leave: () => void;
}

/** Sends the text of an attempt in progress here to the process that wants it; longer, where it is sent already. */
function createSending({ shared, clock, find }: TextElsewhereOptions): (wanted: Wanted) => Promise<void> {
  /** By what was asked with: prolong the sending. */
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
