// What remains to be done after an input, and the decision that results.
import type { Work } from './model.ts';
import type { Json } from '../../../../shared/json.ts';
import type { Decision } from '../../durable.ts';
import { PENDING_KEY } from './frames.ts';
import type { Asking } from './requests.ts';
import { nextCommand, readPart, writeFrame, writePart } from './work.ts';

/** Keeps the actions that are left; a `resumed` input continues with them. */
export function* keepPending(work: Work): Asking<void> {
  const pending = ((yield* readPart(work, PENDING_KEY)) ?? []) as Json[];
  writePart(work, PENDING_KEY, [...pending, ...(work.actions as unknown as Json[])]);
  if (work.root.isResuming) return;
  work.root.isResuming = true;
  work.commands.push({ do: 'resume', number: nextCommand(work) });
}

export function decisionOf(work: Work): Decision {
  writeFrame(work, work.root);
  const parts = new Map([...work.changed].map((key) => [key, work.known.get(key)]));
  const moved = work.moved.map(({ step }) => step);
  const { commands, ending } = work;
  return ending === undefined
    ? { moved, parts, commands, waitsFor: waitingWords(work) }
    : { moved, parts, commands, ending };
}

function waitingWords(work: Work): string {
  const waiting = work.moved.findLast(({ step }) => step.state === 'waiting');
  return waiting?.step.waitsFor ?? 'its steps';
}
