// Which notices were read. Only this browser knows.

/** ISO 8601, UTC. */
type Time = string;

export interface ReadMarks {
  /** Notices up to this time count as read. */
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

/** Marks one notice. When there are too many marks, the oldest are replaced by `until`. */
export function markRead(marks: ReadMarks, notice: Notice): ReadMarks {
  if (isRead(marks, notice)) return marks;
  const runs = [...marks.runs, [notice.runId, notice.at] as const].toSorted(([, a], [, b]) => b.localeCompare(a));
  const until = runs[MOST]?.[1] ?? marks.until;
  return { until, runs: runs.slice(0, MOST) };
}

/** Marks a notice and all older ones. */
export function markReadUntil({ runs }: ReadMarks, until: Time): ReadMarks {
  return { until, runs: runs.filter(([, at]) => at > until) };
}

/** Parses stored marks; invalid data counts as no marks. */
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
