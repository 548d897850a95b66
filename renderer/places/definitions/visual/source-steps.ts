// The source of a workflow as the graph's tools read it: its values, and where each step is written.
import { isMap, isSeq, type Node } from 'yaml';
import type { DocumentGraph } from '../../../../shared/api/index.ts';
import { isJsonObject, type Json } from '../../../../shared/json.ts';
import { pointerTo, tokensOf } from '../../../../shared/json-pointer.ts';
import { emptyListsOf, type ParsedSource, parseSource, stepsOf } from '../../../editor/workflow-edits/index.ts';
import type { TextRange } from '../../../editor/editor-handle.ts';
import type { EmptyList } from '../../../graph/placed-step.ts';

export interface SourceSteps {
  /** The document as JSON; undefined while the source cannot be edited. */
  value: Json | undefined;
  /** Where the name of a step is written, by its JSON Pointer. */
  positionOf: (pointer: string) => SourcePosition | undefined;
}

export interface SourcePosition {
  /** In UTF-16 code units, from 0. */
  offset: number;
  /** From 1. */
  line: number;
}

/** The lists without steps under the steps of a graph. @param source that the graph shows */
export function emptyListsIn({ nodes }: DocumentGraph, source: Json | undefined): EmptyList[] {
  if (!isJsonObject(source)) return [];
  const drawn = new Set(nodes.map(({ id }) => id));
  return emptyListsOf(source).flatMap(({ path, step }) => {
    const around = step === undefined ? '' : pointerTo(step);
    return drawn.has(around) ? [{ list: pointerTo(path), step: around }] : [];
  });
}

export function readSteps(source: string): SourceSteps {
  const parsed = parsedOf(source);
  if (parsed === undefined) return { value: undefined, positionOf: () => undefined };
  return {
    value: parsed.data,
    positionOf(pointer) {
      let value: unknown = parsed.yaml.contents;
      let key: unknown;
      for (const name of tokensOf(pointer)) {
        if (isSeq(value)) {
          key = undefined;
          value = value.items[Number(name)];
        } else if (isMap(value)) {
          const pair = value.items.find((item) => String(item.key) === name);
          key = pair?.key;
          value = pair?.value;
        } else {
          return undefined;
        }
      }
      const offset = ((key ?? value) as Node | undefined)?.range?.[0];
      return offset === undefined ? undefined : { offset, line: source.slice(0, offset).split('\n').length };
    },
  };
}

/** The first step that begins in a part of the source, or else the last one that begins before it. */
export function stepIn(source: string, { from, to }: TextRange): string | undefined {
  const { value, positionOf } = readSteps(source);
  if (!isJsonObject(value)) return undefined;
  const steps = stepsOf(value).map(({ path }) => ({
    step: pointerTo(path),
    at: positionOf(pointerTo(path))?.offset ?? 0,
  }));
  const before = steps.filter(({ at }) => at < from);
  return (steps.find(({ at }) => at >= from && at < to) ?? before.at(-1))?.step;
}

function parsedOf(source: string): ParsedSource | undefined {
  try {
    return parseSource(source);
  } catch {
    // Edits are refused with the reason.
    return undefined;
  }
}
