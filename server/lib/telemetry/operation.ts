/** Something that was done, from its beginning to its end. */
export interface Operation {
  /** Name of the span. */
  span: string;
  /** Name of the histogram that takes the duration in seconds. */
  metric: string;
  /** Milliseconds since 1970. */
  startedAt: number;
  endedAt: number;
  /** Of span and histogram alike. */
  attributes: Readonly<Record<string, string | number>>;
  /** Of the span alone. */
  details?: Readonly<Record<string, string | number>>;
  /** The kind of the failure; becomes `error.type`. */
  error?: string;
  /** 16 bytes as hex: the trace that the span belongs to; absent: one of its own. */
  traceId?: string;
}
