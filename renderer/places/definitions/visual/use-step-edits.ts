// Edits of steps as changes of the editor's text: its undo history holds them beside what is typed.
import type { RefObject } from 'react';
import { editWorkflow, emptyListsOf, type StepEdit } from '../../../editor/workflow-edits/index.ts';
import type { EditorHandle, TextRange } from '../../../editor/editor-handle.ts';
import type { ChosenStep, Cursor } from './chosen-step.ts';
import type { NewStep } from './new-steps.ts';
import { readSteps, stepIn } from './source-steps.ts';
import { findStep, type ListPosition, valueAt } from '../../../graph/step-position.ts';
import { isJsonObject, type Json } from '../../../../shared/json.ts';
import { escapeToken, pointerTo } from '../../../../shared/json-pointer.ts';

export interface StepEdits {
  /** Puts the cursor on a step. @param step its JSON Pointer in the graph or in the source */
  choose: (step: string) => void;
  insert: (position: ListPosition, step: NewStep) => void;
  move: (step: ChosenStep, to: ListPosition) => void;
  duplicate: (step: ChosenStep) => void;
  remove: (step: ChosenStep) => void;
  rename: (step: ChosenStep, name: string) => void;
  /** @param field a JSON Pointer in the task. @param value undefined removes the field */
  set: (step: ChosenStep, field: string, value: Json | undefined) => void;
  undo: () => void;
  redo: () => void;
}

export interface StepEditsOptions {
  editor: RefObject<EditorHandle | null>;
  onCursor: (cursor: Cursor) => void;
  /** Called with the result of each edit, in a sentence: why it was refused, or what was deleted. */
  onSaid: (said: Said | undefined) => void;
}

export interface Said {
  text: string;
  /** What was done can be undone from here. */
  canUndo?: boolean;
}

export function useStepEdits({ editor, onCursor, onSaid }: StepEditsOptions): StepEdits {
  /** Whether it was done. */
  const apply = (edit: StepEdit): boolean => {
    const handle = editor.current;
    if (handle === null) return false;
    const edited = editWorkflow(handle.read(), edit);
    if ('refused' in edited) {
      onSaid({ text: edited.refused });
      return false;
    }
    handle.edit(edited.changes);
    onSaid(undefined);
    if (edited.step !== undefined) choose(edited.step);
    return true;
  };
  const choose = (step: string): void => {
    const { value, positionOf } = readSteps(editor.current?.read() ?? '');
    const position = positionOf(findStep(value, step) ?? step);
    if (position !== undefined) editor.current?.select(position.offset);
    onCursor({ step, ...(position === undefined ? {} : { line: position.line }) });
  };
  /** Chooses the step that was changed by undoing or repeating an edit: the one before may no longer exist. */
  const showChange = (range: TextRange | undefined, otherwise: string): void => {
    onSaid(range === undefined ? { text: otherwise } : undefined);
    const step = range && stepIn(editor.current?.read() ?? '', range);
    if (step !== undefined) choose(step);
  };
  return {
    choose,
    insert: ({ list, at }, { name, task }) => void apply({ do: 'insert', list, at, name, task }),
    move: ({ pointer }, { list, at }) => void apply({ do: 'move', step: pointer, list, at }),
    duplicate: ({ pointer }) => void apply({ do: 'duplicate', step: pointer }),
    remove({ pointer, name, position }) {
      if (!apply({ do: 'delete', step: pointer })) return;
      onSaid({ text: `Deleted ${name}.`, canUndo: true });
      const next = position && neighbour(editor.current?.read() ?? '', position);
      if (next === undefined) onCursor({});
      else choose(next);
    },
    rename: ({ pointer }, name) => void apply({ do: 'rename', step: pointer, name }),
    set: ({ pointer }, field, value) => void apply({ do: 'set', step: pointer, field, value }),
    undo: () => showChange(editor.current?.undo(), 'There is nothing to undo.'),
    redo: () => showChange(editor.current?.redo(), 'There is nothing to redo.'),
  };
}

/** The step that took the place of a deleted one, or else the last one of its list, or else the step that it was under. */
function neighbour(source: string, { list, at }: ListPosition): string | undefined {
  const { value } = readSteps(source);
  const steps = valueAt(value, list);
  if (!Array.isArray(steps)) return undefined;
  if (steps.length === 0) {
    const emptied = isJsonObject(value) ? emptyListsOf(value).find(({ path }) => pointerTo(path) === list) : undefined;
    return emptied?.step === undefined ? undefined : pointerTo(emptied.step);
  }
  const index = Math.min(at, steps.length - 1);
  const [name] = Object.keys(steps[index] ?? {});
  return name === undefined ? undefined : `${list}/${index}/${escapeToken(name)}`;
}
