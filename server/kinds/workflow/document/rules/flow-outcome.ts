/** The ways in which a list of steps, or one step, can be over. */
export interface FlowOutcome {
  /** What holds it continues. */
  completes: boolean;
  /** The workflow ends. */
  ends: boolean;
  /** An error is raised. */
  stops: boolean;
}

export const NONE: FlowOutcome = { completes: false, ends: false, stops: false };
export const STOPS: FlowOutcome = { completes: false, ends: false, stops: true };
export const COMPLETES: FlowOutcome = { completes: true, ends: false, stops: false };
