import './visual.css';
import { Button, Text } from '@mantine/core';
import { type KeyboardEvent, type RefObject, useCallback, useDeferredValue, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { DocumentGraph } from '../../../../shared/api/index.ts';
import type { EditorHandle } from '../../../editor/editor-handle.ts';
import { type InsertionPoint, wordsOf } from '../../../graph/insertion-points.ts';
import type { ListPosition } from '../../../graph/step-position.ts';
import { WorkflowGraph } from '../../../graph/workflow-graph.tsx';
import { InlineCode } from '../../../ui/inline-code.tsx';
import { isField } from '../../../ui/keyboard.ts';
import {
  type ChosenStep,
  chosenStep,
  type Cursor,
  drawnStep,
  positionAfterMove,
  positionOfPoint,
} from './chosen-step.ts';
import { actionOf } from './step-keys.ts';
import type { Callable } from './new-steps.ts';
import { emptyListsIn, readSteps } from './source-steps.ts';
import { StepChooser } from './step-chooser.tsx';
import { StepForm } from './step-form.tsx';
import { StepToolbar, type StepTools } from './step-toolbar.tsx';
import { type Said, type StepEdits, useStepEdits } from './use-step-edits.ts';

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
  const { inserting, setInserting, openChooser, closeChooser } = useInserting();
  const [said, onSaid] = useSaid(editor, text);
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
  const { isFormOpen, setFormOpen, openForm, closeForm, nameField } = useStepForm(pane, drawn);
  const { hasFocus, claimFocus } = useClaimedFocus();

  const choose = ({ id, type }: Pick<DocumentGraph['nodes'][number], 'id' | 'type'>): boolean => {
    if (type === 'start' || type === 'end') return false;
    onSaid(undefined);
    // It also has the focus after the graph of an earlier edit is drawn.
    hasFocus.current = true;
    edits.choose(id);
    return true;
  };
  const tools: StepTools = {
    ...editTools(edits, stepNow, openChooser),
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
      <SaidLine said={said} onUndo={edits.undo} />
      <WorkflowGraph
        graph={graph}
        direction="down"
        chosen={drawn}
        onStep={(node, by) => {
          if (choose(node) && by === 'key' && !isReadOnly) openForm();
        }}
        onMove={choose}
        editing={
          isReadOnly
            ? undefined
            : {
                emptyLists,
                onInsert: openChooser,
                onDrop(dragged, point) {
                  const { value } = sourceNow();
                  const moved = chosenStep(graph, value, { step: dragged });
                  if (moved !== undefined) edits.move(moved, positionAfterMove(moved, positionOfPoint(value, point)));
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
            edits.insert(positionOfPoint(sourceNow().value, inserting), chosen);
          }}
        />
      )}
    </div>
  );
}

type Insertion = Omit<InsertionPoint, 'x' | 'y'>;

/** What the last edit reported. It holds for its text only: the Undo of an earlier one would undo something else. */
function useSaid(editor: GraphPaneProps['editor'], text: string) {
  const [latest, setLatest] = useState<{ said: Said | undefined; of: string }>();
  const onSaid = (said: Said | undefined): void => setLatest({ said, of: withoutReturns(editor.current?.read()) });
  return [latest?.of === withoutReturns(text) ? latest.said : undefined, onSaid] as const;
}

/** Whether the fields of the step are open. Closing them returns the focus to the step. */
function useStepForm(pane: RefObject<HTMLElement | null>, drawn: string | undefined) {
  const [isFormOpen, setFormOpen] = useState(false);
  const nameField = useRef<HTMLInputElement>(null);
  const openForm = (): void => {
    flushSync(() => setFormOpen(true));
    nameField.current?.focus();
  };
  const closeForm = (): void => {
    setFormOpen(false);
    if (drawn !== undefined) pane.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(drawn)}"]`)?.focus();
  };
  return { isFormOpen, setFormOpen, openForm, closeForm, nameField };
}

/** Where a step is inserted while its chooser is open. Closing it returns the focus. */
function useInserting() {
  const [inserting, setInserting] = useState<Insertion>();
  const focusedBefore = useRef<Element>(null);
  // At once: keys that are typed next are for the chooser, and must not reach the page.
  const openChooser = (point: Insertion): void => {
    focusedBefore.current = document.activeElement;
    flushSync(() => setInserting(point));
  };
  const closeChooser = (): void => {
    flushSync(() => setInserting(undefined));
    if (focusedBefore.current instanceof HTMLElement) focusedBefore.current.focus();
  };
  return { inserting, setInserting, openChooser, closeChooser };
}

/** An edit by a key draws the step again that has the focus. */
function useClaimedFocus() {
  const hasFocus = useRef(false);
  const claimFocus = useCallback(() => {
    const focused = document.activeElement;
    const isInGraph = focused === document.body || focused?.closest('.graph') != null;
    // Someone who went on to the source stays there.
    if (!isInGraph) hasFocus.current = false;
    return hasFocus.current;
  }, []);
  return { hasFocus, claimFocus };
}

/** The tools that change the step of the cursor. */
function editTools(
  edits: StepEdits,
  stepNow: () => ChosenStep | undefined,
  openChooser: (point: Insertion) => void,
): Omit<StepTools, 'onForm' | 'onSource'> {
  const inList = (edit: (step: ChosenStep, position: ListPosition) => void) => () => {
    const current = stepNow();
    if (current?.position !== undefined) edit(current, current.position);
  };
  return {
    onUndo: edits.undo,
    onRedo: edits.redo,
    onInsert: (side: 'before' | 'after') =>
      inList(({ pointer }, position) => openChooser({ ...position, beside: pointer, side }))(),
    onMove: (by: -1 | 1) =>
      inList((current, { list, at }) => {
        if (at + by >= 0 && at + by < current.list.length) edits.move(current, { list, at: at + by });
      })(),
    onDuplicate: inList(edits.duplicate),
    onDelete: inList(edits.remove),
  };
}

function SaidLine({ said, onUndo }: { said: Said | undefined; onUndo: () => void }) {
  return (
    <div role="status" className="step-tools-said" data-empty={said === undefined || undefined}>
      {said !== undefined && (
        <>
          <Text span size="xs">
            <InlineCode>{said.text}</InlineCode>
          </Text>
          {said.canUndo === true && (
            <Button size="compact-xs" variant="default" onClick={onUndo}>
              Undo
            </Button>
          )}
        </>
      )}
    </div>
  );
}

/** The editor may write line ends in another way than the document that it was given. */
function withoutReturns(text = ''): string {
  return text.replaceAll('\r\n', '\n');
}
