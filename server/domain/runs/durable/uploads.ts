// Uploads that runs expect: kept as a part of their state, and taken in as inputs.
import type { Json, JsonObject } from '../../../../shared/json.ts';
import type { Command, Decision } from '../../../kinds/durable.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { ReadTransaction, WriteTransaction } from '../../../kernel/log/index.ts';
import type { Tasks } from '../../../kernel/tasks/index.ts';
import { isWaiting } from '../history/leases.ts';
import type { RunRow } from '../history/sql.ts';
import { attemptField, inputTask } from './run-tasks.ts';
import { selectPart } from './sql.ts';

/** The part of a run's state that holds what it expects; kinds name no part of theirs so. */
export const UPLOADS_PART = 'expected uploads';

export interface ExpectedUpload {
  number: number;
  /** What the kind gave to get it back. */
  data: JsonObject;
}

/** An upload that has come to a run, as it ended. */
export interface EndedUpload {
  /** The number under which the run expects it. */
  number: number;
  /** What names it among the uploads of the run, such as its digest: the same again is taken in once. */
  id: string;
  /** What the kind is to know of it. */
  ending: JsonObject;
  /** The event that recorded it, or null. */
  cause: string | null;
}

export interface Uploads {
  /** What the run expects; nothing once it has ended, and while it does not wait. */
  expected(tx: ReadTransaction, run: RunRow): Promise<readonly ExpectedUpload[]>;
  /** Passes an upload to the run in the caller's transaction; false where the run does not expect it any more. */
  ended(tx: WriteTransaction, run: RunRow, upload: EndedUpload): Promise<boolean>;
}

export function createUploads({ tasks, clock }: { tasks: Tasks; clock: Clock }): Uploads {
  const expected: Uploads['expected'] = async (tx, run) =>
    (await isWaiting(tx, run)) ? expectedIn(await selectPart(tx, run, UPLOADS_PART)) : [];
  return {
    expected,
    async ended(tx, run, { number, id, ending, cause }) {
      const one = (await expected(tx, run)).find((other) => other.number === number);
      if (one === undefined) return false;
      const own = { run_id: run.run_id, ...attemptField(run), cause };
      const data = { ...one.data, ...ending, number };
      await tasks.add(tx, run, inputTask({ ...own, kind: 'upload_ended', key: `${number} ${id}`, data }, clock.now()));
      return true;
    },
  };
}

export function expectedIn(part: Json | undefined): readonly ExpectedUpload[] {
  return (part ?? []) as unknown as readonly ExpectedUpload[];
}

/** The parts that a decision changes, with what it expects from now on. */
export async function partsWithUploads(
  { parts, commands }: Decision,
  before: () => Promise<Json | undefined>,
): Promise<Decision['parts']> {
  const own = commands.filter(isOfUploads);
  if (own.length === 0) return parts;
  const expected = new Map(expectedIn(await before()).map((one) => [one.number, one]));
  for (const command of own) {
    if (command.do === 'expect_upload') expected.set(command.number, { number: command.number, data: command.data });
    else expected.delete(command.number);
  }
  const left = [...expected.values()] as unknown as Json[];
  return new Map([...parts, [UPLOADS_PART, left.length === 0 ? undefined : left]]);
}

function isOfUploads(command: Command): command is Extract<Command, { do: 'expect_upload' | 'stop_expecting_upload' }> {
  return command.do === 'expect_upload' || command.do === 'stop_expecting_upload';
}
