// The step that is chosen in the graph and in the source.
import type { DocumentGraph } from '../../../../shared/api/index.ts';
import type { Json } from '../../../../shared/json.ts';
import type { InsertionPoint } from '../../../graph/insertion-points.ts';
import { stepAt } from '../../../graph/steps.ts';
import { findStep, identityOf, type ListPosition, positionOfStep, valueAt } from '../../../graph/step-position.ts';

/** Where a person is in a document: in a line of the source or, if they chose a step in the graph, at that step. */
export interface Cursor {
  line?: number;
  /** A JSON Pointer in the source as it was then. */
  step?: string;
}

export interface ChosenStep {
  /** JSON Pointer in the current source; in the drawn one while the current one has no such step. */
  pointer: string;
  name: string;
  /** Undefined for a function of the document, which is in no list. */
  position: ListPosition | undefined;
  /** The names of the steps of its list, in order. */
  list: readonly string[];
  /** The task in the current source; undefined if the step is not there. */
  task: Json | undefined;
}

/**
 * @param graph of the last valid source
 * @param source the current one, parsed
 */
export function chosenStep(
  graph: DocumentGraph,
  source: Json | undefined,
  { line, step }: Cursor,
): ChosenStep | undefined {
  const drawn = step ?? stepAt(graph, line);
  if (drawn === undefined) return undefined;
  const pointer = findStep(source, drawn);
  const position = positionOfStep(pointer ?? drawn);
  const list = position && valueAt(source, position.list);
  return {
    pointer: pointer ?? drawn,
    name: position?.name ?? drawn.slice(drawn.lastIndexOf('/') + 1),
    position: position && { list: position.list, at: position.at },
    list: Array.isArray(list) ? list.flatMap((item) => Object.keys(item ?? {})) : [],
    task: pointer === undefined ? undefined : valueAt(source, pointer),
  };
}

/** The step of a graph, by its pointer in another version of the document. */
export function drawnStep(graph: DocumentGraph, pointer: string): string | undefined {
  const identity = identityOf(pointer);
  return graph.nodes.find(({ id }) => identityOf(id) === identity)?.id;
}

/**
 * The position of a point of the graph in the current source.
 * @returns the position in the drawn one while the current one has no step beside it
 */
export function positionOfPoint(
  source: Json | undefined,
  { list, at, beside, within, side }: Omit<InsertionPoint, 'x' | 'y'>,
): ListPosition {
  if (within !== undefined) return { list: (findStep(source, within) ?? within) + list.slice(within.length), at };
  const found = beside === undefined ? undefined : findStep(source, beside);
  const position = found === undefined ? undefined : positionOfStep(found);
  return position === undefined
    ? { list, at }
    : { list: position.list, at: side === 'before' ? position.at : position.at + 1 };
}

/** Where a step stands after it was moved to a place of a list that still has it. */
export function positionAfterMove({ position }: ChosenStep, to: ListPosition): ListPosition {
  return position?.list === to.list && position.at < to.at ? { list: to.list, at: to.at - 1 } : to;
}
