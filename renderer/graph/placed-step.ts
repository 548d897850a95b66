// What is laid out: the steps of a workflow, and its lists without steps.
import type { DocumentGraph } from '../../shared/api/index.ts';

type Step = DocumentGraph['nodes'][number];

export interface PlacedStep {
  step: Step;
  /** Pixels, relative to the enclosing block or the graph. */
  x: number;
  y: number;
  width: number;
  height: number;
  isBlock: boolean;
}

/** A list without steps, which takes up room so that a step can be inserted. */
export interface EmptyList {
  /** JSON Pointer of the list. */
  list: string;
  /** JSON Pointer of the step that it is under. */
  step: string;
}

/** The type of what is laid out for an empty list. Its id is the pointer of the list. */
export const EMPTY_LIST = 'empty list';
