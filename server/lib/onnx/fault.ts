// What can be wrong with a model. Faults are results, not failures of the server.
import { harmless } from '../harmless.ts';

export type FaultKind =
  /** It is not a model that is accepted, or the runtime cannot load it. */
  | 'load'
  /** An input or output has another type than the signature's. */
  | 'type'
  /** An input or output has another shape than the signature's, declared or at run time. */
  | 'shape'
  /** It fails while it runs. */
  | 'run'
  | 'not_finite'
  /** Values that should ascend do not. */
  | 'disorder'
  /** A row's output depends on the other rows of its batch, or differs when it is run again. */
  | 'batch_variance'
  | 'memory'
  | 'time';

export interface Fault {
  kind: FaultKind;
  /** For the author of the model: what is wrong, where, and what to do instead. */
  detail: string;
}

/** Thrown inside this folder only; its face returns the fault. */
export class FaultyModel extends Error {
  readonly fault: Fault;

  constructor(kind: FaultKind, detail: string) {
    // Names in a model are those of its author.
    super(harmless(detail));
    this.name = 'FaultyModel';
    this.fault = { kind, detail: this.message };
  }
}
