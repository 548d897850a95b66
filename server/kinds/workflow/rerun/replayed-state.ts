// The state of a run while its history is replayed: its parts, and the commands whose results it still waits for.
import type { Json, JsonObject } from '../../../../shared/json.ts';
import type { Command, Decision, RunState } from '../../durable.ts';
import type { RecordedInput } from '../../replaying.ts';
import { earlierCalledRunId, type Frame, hotKey, ROOT, type RootFrame } from '../engine/index.ts';

/** A command that the run waits for. */
export type OpenCommand = Extract<Command, { do: 'start_timer' | 'start_run' | 'perform' | 'listen' }>;

export interface ReplayedState {
  parts: Map<string, Json>;
  /** By `openKey`, in the order in which they were given. */
  open: Map<string, OpenCommand>;
  /** Events that were offered to listens, by the listener and the event's id. */
  offered: Set<string>;
}

export function newReplayedState(): ReplayedState {
  return { parts: new Map(), open: new Map(), offered: new Set() };
}

export const openKey = {
  timer: (number: number): string => `timer ${number}`,
  run: (runId: string): string => `run ${runId}`,
  call: (number: number): string => `call ${number}`,
  listener: (listener: number): string => `listener ${listener}`,
};

export function applyDecision({ parts, open }: ReplayedState, decision: Pick<Decision, 'parts' | 'commands'>): void {
  for (const [key, part] of decision.parts) {
    if (part === undefined) parts.delete(key);
    else parts.set(key, part);
  }
  for (const command of decision.commands) {
    switch (command.do) {
      case 'start_timer':
        open.set(openKey.timer(command.number), command);
        break;
      case 'stop_timer':
        open.delete(openKey.timer(command.number));
        break;
      case 'start_run':
        if (command.data !== null) open.set(openKey.run(command.runId), command);
        break;
      case 'cancel_run':
        open.delete(openKey.run(command.runId));
        break;
      case 'perform':
        open.set(openKey.call(command.number), command);
        break;
      case 'stop_performing':
        open.delete(openKey.call(command.number));
        break;
      case 'listen':
        open.set(openKey.listener(command.listener), command);
        break;
      case 'stop_listening':
        open.delete(openKey.listener(command.listener));
        break;
      // Published, taken and resumed things are in the past of the new run.
      default:
    }
  }
}

/** Takes the command that an input of the run answers; undefined if it is not open. */
export function takeAnswered(
  { open }: ReplayedState,
  runId: string,
  { kind, key }: Pick<RecordedInput, 'kind' | 'key'>,
): OpenCommand | undefined {
  const name =
    kind === 'timer_due'
      ? openKey.timer(Number(key))
      : kind === 'called_run_ended'
        ? openKey.run(open.has(openKey.run(key)) ? key : laterId(open, runId, key))
        : openKey.call(Number(key));
  const command = open.get(name);
  open.delete(name);
  return command;
}

/** The id that a called run has today, for its id in an earlier history. */
function laterId(open: ReplayedState['open'], runId: string, earlierId: string): string {
  const called = [...open.values()].find(
    (command) => command.do === 'start_run' && earlierCalledRunId(runId, command.number) === earlierId,
  );
  return called?.do === 'start_run' ? called.runId : earlierId;
}

export function rootOf({ parts }: ReplayedState): RootFrame {
  return parts.get(hotKey(ROOT)) as unknown as RootFrame;
}

export function frameOf({ parts }: ReplayedState, id: number): Frame | undefined {
  return parts.get(hotKey(id)) as unknown as Frame | undefined;
}

export function putFrame({ parts }: ReplayedState, frame: Frame): void {
  parts.set(hotKey(frame.id), frame as unknown as JsonObject);
}

/** The frames of steps and branches, in the order in which they were opened. */
export function framesOf({ parts }: ReplayedState): Frame[] {
  return [...parts]
    .filter(([key]) => /^f\d+$/.test(key))
    .map(([, part]) => part as unknown as Frame)
    .filter(({ id }) => id !== ROOT)
    .toSorted((one, other) => one.id - other.id);
}

/** As the kind reads it. @param took the events of the mailbox that the input took */
export function readerOf({ parts }: ReplayedState, took: RecordedInput['took'] = []): RunState {
  return { part: (key) => parts.get(key), mailbox: async () => took };
}
