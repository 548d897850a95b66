// The source of a workflow as the graph's tools read it: its values, and where each step is written.
import { isMap, isSeq, LineCounter, parseDocument, type Node } from 'yaml';
import type { DocumentGraph } from '../../../../shared/api/index.ts';
import { isJsonObject, type Json } from '../../../../shared/json.ts';
import { pointerTo, tokensOf } from '../../../../shared/json-pointer.ts';
import { emptyListsOf } from '../../../editor/workflow-edits/index.ts';
import type { EmptyList } from '../../../graph/placed-step.ts';

export interface SourceSteps {
  /** The document as JSON; undefined while the source cannot be parsed. */
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

/** The last one that was read. Large documents take long, and an edit reads the same one for several purposes. */
let latest: { source: string; steps: SourceSteps } | undefined;

export function readSteps(source: string): SourceSteps {
  if (latest?.source !== source) latest = { source, steps: stepsIn(source) };
  return latest.steps;
}

function stepsIn(source: string): SourceSteps {
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines });
  if (document.errors.length > 0) return { value: undefined, positionOf: () => undefined };
  return {
    value: valueOf(document),
    positionOf(pointer) {
      let value: unknown = document.contents;
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
      return offset === undefined ? undefined : { offset, line: lines.linePos(offset).line };
    },
  };
}

/** An alias without an anchor, or too many of them, is found when the values are built. */
function valueOf(document: ReturnType<typeof parseDocument>): Json | undefined {
  try {
    return document.toJS() as Json;
  } catch {
    return undefined;
  }
}
