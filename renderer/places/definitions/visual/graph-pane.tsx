import './visual.css';
import { Button, Text } from '@mantine/core';
import { type KeyboardEvent, type RefObject, useCallback, useDeferredValue, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { DocumentGraph } from '../../../../shared/api/index.ts';
import type { EditorHandle } from '../../../editor/editor-handle.ts';
import { type InsertionPoint, wordsOf } from '../../../graph/insertion-points.ts';
import type { ListPlace } from '../../../graph/step-place.ts';
import { WorkflowGraph } from '../../../graph/workflow-graph.tsx';
import { InlineCode } from '../../../ui/inline-code.tsx';
import { isField } from '../../../ui/keyboard.ts';
import { type ChosenStep, chosenStep, type Cursor, drawnStep, placeAfterMove, placeOfPoint } from './chosen-step.ts';
import { actionOf } from './step-keys.ts';
import type { Callable } from './new-steps.ts';
import { emptyListsIn, readSteps } from './source-steps.ts';
import { StepChooser } from './step-chooser.tsx';
import { StepForm } from './step-form.tsx';
import { StepToolbar } from './step-toolbar.tsx';
import { type Said, useStepEdits } from './use-step-edits.ts';

export interface GraphPaneProps {
  /** Of the last source without issues. */
  graph: DocumentGraph;
  /** That source. */
  drawnText: string;
  text: string;
  cursor: Cursor;
  onCursor: (cursor: Cursor) => void;
  editor: RefObject<EditorHandle | null>;
  isReadOnly: boolean;
  /** The definitions that a step can call. */
  callable: readonly Callable[];
  /** Puts the focus on a line of the source. */
  onSource: (line: number) => void;
}

/**
 * The graph of a workflow in which its steps are edited. Each edit is a small change of the source, in the history of the
 * editor.
 */
export function GraphPane(props: GraphPaneProps) {
  const { graph, drawnText, text, cursor, onCursor, editor, isReadOnly, callable, onSource } = props;
  const [isFormOpen, setFormOpen] = useState(false);
  const [inserting, setInserting] = useState<Omit<InsertionPoint, 'x' | 'y'>>();
  const [latestSaid, setSaid] = useState<{ said: Said | undefined; of: string }>();
  const onSaid = (next: Said | undefined): void => setSaid({ said: next, of: withoutReturns(editor.current?.read()) });
  // What was said about a text does not hold for the next one: its Undo would undo something else.
  const said = latestSaid?.of === withoutReturns(text) ? latestSaid.said : undefined;
  const edits = useStepEdits({ editor, onCursor, onSaid });
  // Together: the text of an edit arrives before the cursor, which may name a step that only this text has.
  const shown = useDeferredValue(useMemo(() => ({ text, cursor }), [text, cursor]));
  const source = useMemo(() => readSteps(shown.text), [shown.text]);
  // What is drawn may be older than the text that an edit changes.
  const sourceNow = () => readSteps(editor.current?.read() ?? text);
  const stepNow = () => chosenStep(graph, sourceNow().value, cursor);
  const step = useMemo(() => chosenStep(graph, source.value, shown.cursor), [graph, source, shown.cursor]);
  const drawn = step && drawnStep(graph, step.pointer);
  const emptyLists = useMemo(() => emptyListsIn(graph, readSteps(drawnText).value), [graph, drawnText]);
  const pane = useRef<HTMLDivElement>(null);
  const nameField = useRef<HTMLInputElement>(null);
  const focusedBefore = useRef<Element>(null);

  // An edit by a key draws the step again that has the focus.
  const hasFocus = useRef(false);
  const claimFocus = useCallback(() => {
    const focused = document.activeElement;
    const isInGraph = focused === document.body || focused?.closest('.graph') != null;
    // Someone who went on to the source stays there.
    if (!isInGraph) hasFocus.current = false;
    return hasFocus.current;
  }, []);

  const choose = (pointer: string): void => {
    onSaid(undefined);
    // It also has the focus after the graph of an earlier edit is drawn.
    hasFocus.current = true;
    edits.choose(pointer);
  };
  const openForm = (): void => {
    flushSync(() => setFormOpen(true));
    nameField.current?.focus();
  };
  const closeForm = (): void => {
    setFormOpen(false);
    if (drawn !== undefined) pane.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(drawn)}"]`)?.focus();
  };
  // At once: keys that are typed next are for the chooser, and must not reach the page.
  const openChooser = (point: Omit<InsertionPoint, 'x' | 'y'>): void => {
    focusedBefore.current = document.activeElement;
    flushSync(() => setInserting(point));
  };
  const closeChooser = (): void => {
    flushSync(() => setInserting(undefined));
    if (focusedBefore.current instanceof HTMLElement) focusedBefore.current.focus();
  };
  const inList = (edit: (step: ChosenStep, place: ListPlace) => void) => () => {
    const current = stepNow();
    if (current?.place !== undefined) edit(current, current.place);
  };
  const tools = {
    onUndo: edits.undo,
    onRedo: edits.redo,
    onInsert: (side: 'before' | 'after') =>
      inList(({ pointer }, place) => openChooser({ ...place, beside: pointer, side }))(),
    onMove: (by: -1 | 1) =>
      inList((current, { list, at }) => {
        if (at + by >= 0 && at + by < current.list.length) edits.move(current, { list, at: at + by });
      })(),
    onDuplicate: inList(edits.duplicate),
    onDelete: inList(edits.remove),
    onForm: () => (isFormOpen ? setFormOpen(false) : openForm()),
    onSource() {
      const node = graph.nodes.find(({ id }) => id === drawn);
      if (node !== undefined) onSource(node.line);
    },
  };

  const press = (event: KeyboardEvent): void => {
    const { target } = event;
    if (isReadOnly || !(target instanceof HTMLElement)) return;
    // The dialog that inserts a step is not in the pane, but its keys arrive here.
    if (isField(target) && target.closest('.step-form') === null) return;
    const isNode = target.matches('[data-id]');
    const action = actionOf(event, isNode, { ...tools, onRename: openForm });
    if (action === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    hasFocus.current = isNode;
    action();
  };

  return (
    <div ref={pane} className="graph-pane" onKeyDown={press}>
      <StepToolbar step={step} isReadOnly={isReadOnly} isFormOpen={isFormOpen} {...tools} />
      <div role="status" className="step-tools-said" data-empty={said === undefined || undefined}>
        {said !== undefined && (
          <>
            <Text span size="xs">
              <InlineCode>{said.text}</InlineCode>
            </Text>
            {said.canUndo === true && (
              <Button size="compact-xs" variant="default" onClick={edits.undo}>
                Undo
              </Button>
            )}
          </>
        )}
      </div>
      <WorkflowGraph
        graph={graph}
        direction="down"
        chosen={drawn}
        onStep={({ id, type }, by) => {
          if (type === 'start' || type === 'end') return;
          choose(id);
          if (by === 'key' && !isReadOnly) openForm();
        }}
        onMove={({ id, type }) => {
          if (type !== 'start' && type !== 'end') choose(id);
        }}
        editing={
          isReadOnly
            ? undefined
            : {
                emptyLists,
                onInsert: openChooser,
                onDrop(dragged, point) {
                  const { value } = sourceNow();
                  const moved = chosenStep(graph, value, { step: dragged });
                  if (moved !== undefined) edits.move(moved, placeAfterMove(moved, placeOfPoint(value, point)));
                },
                claimFocus,
              }
        }
      />
      {isFormOpen && step !== undefined && !isReadOnly && (
        <StepForm
          step={step}
          references={callable.map(({ reference }) => reference)}
          edits={edits}
          nameField={nameField}
          onClose={closeForm}
        />
      )}
      {inserting !== undefined && (
        <StepChooser
          title={`Insert a step ${wordsOf(inserting)}`}
          callable={callable}
          onClose={closeChooser}
          onChoose={(chosen) => {
            setInserting(undefined);
            hasFocus.current = true;
            edits.insert(placeOfPoint(sourceNow().value, inserting), chosen);
          }}
        />
      )}
    </div>
  );
}

/** The editor may write line ends in another way than the document that it was given. */
function withoutReturns(text = ''): string {
  return text.replaceAll('\r\n', '\n');
}
