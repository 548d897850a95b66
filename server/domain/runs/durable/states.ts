// The states of runs that moved last, kept in memory. The store owns them: what is kept here is known to be what
// the store holds as long as the run's stream ends where it ended then, which each recording checks.
import { LRUCache } from 'lru-cache';
import type { Json } from '../../../../shared/json.ts';
import type { PlaybookKey } from '../../../kernel/log/index.ts';
import type { RunRow } from '../history/sql.ts';

export interface KnownState {
  row: RunRow;
  source: string;
  shape: string | undefined;
  /** Where the run's stream ends. */
  position: number;
  parts: Map<string, Json | undefined>;
  /** Whether `parts` holds every part there is: what it lacks need not be looked for. */
  isWhole: boolean;
  /** Characters of the source and of each part as JSON. */
  sizes: Map<string, number>;
  size: number;
}

/** What a recording changes in a known state. */
interface Moved {
  /** Present if the run has ended. */
  ended?: unknown;
  position: number;
  parts: ReadonlyMap<string, Json | undefined>;
  texts: readonly (readonly [string, string | undefined])[];
}

/** Brings a known state to what was recorded after it. */
function moveOn(state: KnownState, { position, parts, texts }: Moved): void {
  state.position = position;
  for (const [part, text] of texts) {
    state.size += (text?.length ?? 0) - (state.sizes.get(part) ?? 0);
    if (text === undefined) {
      state.parts.delete(part);
      state.sizes.delete(part);
    } else {
      state.parts.set(part, parts.get(part));
      state.sizes.set(part, text.length);
    }
  }
}

export function stateKey({ org, playbook }: PlaybookKey, runId: string): string {
  return JSON.stringify([org, playbook, runId]);
}

/** Keeps a state as it is after what was recorded. */
export function keepMoved(states: States, state: KnownState, moved: Moved): void {
  const key = stateKey(state.row, state.row.run_id);
  if (moved.ended !== undefined) return states.drop(key);
  moveOn(state, moved);
  states.put(key, state);
}

/** Keeps a part that was read, which takes up memory from now on. */
export function keepRead(states: States, state: KnownState, part: string, text: string | undefined): Json | undefined {
  const value = text === undefined ? undefined : (JSON.parse(text) as Json);
  moveOn(state, { position: state.position, parts: new Map([[part, value]]), texts: [[part, text]] });
  // What is known not to be there is not looked for again.
  if (text === undefined) state.parts.set(part, undefined);
  const key = stateKey(state.row, state.row.run_id);
  if (states.get(key) === state) states.put(key, state);
  return value;
}

const MOST_STATES = 2000;
const MOST_CHARACTERS = 32_000_000;

export interface States {
  get(key: string): KnownState | undefined;
  put(key: string, state: KnownState): void;
  drop(key: string): void;
}

export function createStates(): States {
  const kept = new LRUCache<string, KnownState>({ max: MOST_STATES, maxSize: MOST_CHARACTERS });
  return {
    get: (key) => kept.get(key),
    put(key, state) {
      // A state grows where it is: only what is put anew is measured anew.
      kept.delete(key);
      kept.set(key, state, { size: Math.max(1, state.size) });
    },
    drop: (key) => void kept.delete(key),
  };
}
