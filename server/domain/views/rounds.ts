// Keeps views up to date in the background: soon after each commit of their playbook, in turns, a batch at a time.
import type { Logger } from 'pino';
import type { Clock } from '../../lib/clock.ts';
import type { EventLog, PlaybookKey } from '../../kernel/log/index.ts';
import { yieldToEventLoop } from '../../lib/event-loop.ts';
import { Refused } from '../../lib/rejection.ts';
import type { ViewKey } from './sql.ts';

export interface Rounds {
  /** Keeps a view from now on, and looks at once whether it is behind. */
  keep(key: ViewKey): void;
  leave(key: ViewKey): void;
  /** Looks whether any view is behind. */
  lookAtAll(): void;
  stop(): Promise<void>;
}

export interface RoundsOptions {
  log: Pick<EventLog, 'onCommit'>;
  clock: Clock;
  logger: Pick<Logger, 'error'>;
  /** Whether a view is kept by this process, and not by another one. */
  isKeptHere: (key: ViewKey) => Promise<boolean>;
  /** Moves a view on by a batch; 'done' when there is nothing to do for now. */
  step: (key: ViewKey) => Promise<'done' | 'more'>;
}

/** What is recorded within such a time is read together. */
const GATHERING_MS = 200;
const RETRY_MS = 1000;

interface KeptPlace {
  views: Map<string, ViewKey>;
  stopListening: () => void;
  isGathering: boolean;
}

export function createRounds({ log, clock, logger, isKeptHere, step }: RoundsOptions): Rounds {
  const places = new Map<string, KeptPlace>();
  const behind = new Map<string, ViewKey>();
  const callOff = new Set<() => void>();
  let round: Promise<void> | undefined;
  let isStopping = false;

  function later(milliseconds: number, work: () => void): void {
    const cancel = clock.wakeAfter(milliseconds, () => {
      callOff.delete(cancel);
      work();
    });
    callOff.add(cancel);
  }

  function lookAt(key: ViewKey): void {
    if (isStopping) return;
    behind.set(JSON.stringify(key), key);
    round ??= goRound();
  }

  async function goRound(): Promise<void> {
    for (let next = takeFirst(); next !== undefined; next = takeFirst()) {
      const key = next;
      try {
        if ((await isKeptHere(key)) && (await step(key)) === 'more') behind.set(JSON.stringify(key), key);
      } catch (error) {
        if (!isStopping && !isPassing(error)) logger.error({ err: error, ...key }, 'A view could not be advanced.');
        later(RETRY_MS, () => lookAt(key));
      }
      await yieldToEventLoop();
    }
    round = undefined;
  }

  function takeFirst(): ViewKey | undefined {
    if (isStopping) return undefined;
    const [first] = behind;
    if (first === undefined) return undefined;
    behind.delete(first[0]);
    return first[1];
  }

  function placeOf(key: PlaybookKey): KeptPlace {
    const text = textOf(key);
    const known = places.get(text);
    if (known !== undefined) return known;
    const place: KeptPlace = {
      views: new Map(),
      isGathering: false,
      stopListening: log.onCommit({ org: key.org, playbook: key.playbook }, () => {
        if (place.isGathering || isStopping) return;
        place.isGathering = true;
        later(GATHERING_MS, () => {
          place.isGathering = false;
          for (const view of place.views.values()) lookAt(view);
        });
      }),
    };
    places.set(text, place);
    return place;
  }

  return {
    keep(key) {
      placeOf(key).views.set(key.name, key);
      lookAt(key);
    },
    leave(key) {
      const place = places.get(textOf(key));
      place?.views.delete(key.name);
      if (place?.views.size !== 0) return;
      place.stopListening();
      places.delete(textOf(key));
    },
    lookAtAll() {
      for (const { views } of places.values()) for (const key of views.values()) lookAt(key);
    },
    async stop() {
      isStopping = true;
      for (const { stopListening } of places.values()) stopListening();
      for (const cancel of callOff) cancel();
      await round;
    },
  };
}

/** What passes by itself: a full disk, or workers that are all busy. */
function isPassing(error: unknown): boolean {
  return error instanceof Refused && error.rejection.reason === 'unavailable';
}

function textOf({ org, playbook }: PlaybookKey): string {
  return JSON.stringify([org, playbook]);
}
