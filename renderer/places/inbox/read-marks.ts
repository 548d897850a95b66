// Which notices were read. The service does not know; this browser does.

/** A moment as ISO 8601 UTC. */
type Time = string;

export interface ReadMarks {
  /** What is not younger counts as read. */
  until: Time;
  runs: readonly (readonly [run: string, at: Time])[];
}

export interface Notice {
  runId: string;
  at: Time;
}

export const NOTHING_READ: ReadMarks = { until: '', runs: [] };
const MOST = 500;

export function isRead({ until, runs }: ReadMarks, { runId, at }: Notice): boolean {
  return at <= until || runs.some(([run]) => run === runId);
}

/** Marks one notice. Where there are too many marks, the oldest notices count as read without one. */
export function markRead(marks: ReadMarks, notice: Notice): ReadMarks {
  if (isRead(marks, notice)) return marks;
  const runs = [...marks.runs, [notice.runId, notice.at] as const].toSorted(([, a], [, b]) => b.localeCompare(a));
  const until = runs[MOST]?.[1] ?? marks.until;
  return { until, runs: runs.slice(0, MOST) };
}

/** Marks a notice and all that are older. */
export function markReadUntil({ runs }: ReadMarks, until: Time): ReadMarks {
  return { until, runs: runs.filter(([, at]) => at > until) };
}

/** What was kept, if it is whole. */
export function readMarksOf(text: string | undefined): ReadMarks {
  try {
    const kept: unknown = JSON.parse(text ?? 'null');
    return isMarks(kept) ? kept : NOTHING_READ;
  } catch {
    return NOTHING_READ;
  }
}

function isMarks(kept: unknown): kept is ReadMarks {
  return (
    typeof kept === 'object' &&
    kept !== null &&
    'until' in kept &&
    typeof kept.until === 'string' &&
    'runs' in kept &&
    Array.isArray(kept.runs) &&
    kept.runs.every((one: unknown) => Array.isArray(one) && one.length === 2)
  );
}
