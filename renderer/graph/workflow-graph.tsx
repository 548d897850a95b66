import '@xyflow/react/dist/style.css';
import './graph.css';
import { Skeleton, useComputedColorScheme } from '@mantine/core';
import {
  Controls,
  Handle,
  MarkerType,
  type NodeHandle,
  type NodeProps,
  Position,
  ReactFlow,
  type Node,
  type BuiltInEdge,
  type ReactFlowInstance,
} from '@xyflow/react';
import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react';
import type { DocumentGraph } from '../../shared/api/index.ts';
import { initialViewport } from './initial-viewport.ts';
import { InsertButtons } from './insert-buttons.tsx';
import { type InsertionPoint, insertionPoints, memberOfList } from './insertion-points.ts';
import { LaneEdge, type LaneEdgeType } from './lane-edge.tsx';
import type { Direction, Lane, Size } from './place-boxes.ts';
import { EMPTY_LIST, type EmptyList } from './placed-step.ts';
import { positionOfStep } from './step-position.ts';
import { plainSummary, stepAt, type StepState } from './steps.ts';
import { type GraphLayout, useLayout } from './use-layout.ts';
import { useStepDrag } from './use-step-drag.ts';
import { useStepInView } from './use-step-in-view.ts';

/** What a person can do with the steps of a graph that goes down. */
export interface GraphEditing {
  /** The lists under steps that have no steps. */
  emptyLists: readonly EmptyList[];
  onInsert: (point: InsertionPoint) => void;
  onDrop: (step: string, point: InsertionPoint) => void;
  /** Called when the chosen step is drawn or chosen: whether it takes the focus. */
  claimFocus: () => boolean;
}

export interface WorkflowGraphProps {
  graph: DocumentGraph;
  direction: Direction;
  /** The current line in the editor: its step is highlighted. */
  line?: number | undefined;
  /** The chosen step, which is highlighted instead of that of the line. */
  chosen?: string | undefined;
  /** Called for a click on a step, or for Enter on the focused one. */
  onStep?: (step: Step, by: 'click' | 'key') => void;
  /** Called when the arrow keys move the focus to a step. */
  onMove?: (step: Step) => void;
  /** The states of the steps of a run, by JSON Pointer. */
  states?: ReadonlyMap<string, StepState>;
  /** The step to show first if the graph does not fit. */
  focus?: string | undefined;
  /** Steps can be inserted and dragged. */
  editing?: GraphEditing | undefined;
}

type Step = DocumentGraph['nodes'][number];
type StepNode = Node<
  {
    direction: Direction;
    step: Step;
    isBlock: boolean;
    isMarked: boolean;
    state: StepState | undefined;
    claimFocus: (() => boolean) | undefined;
  },
  'step' | typeof EMPTY_LIST
>;

type GraphEdge = BuiltInEdge | LaneEdgeType;

const EDGE_TYPES = { lane: LaneEdge };
const NODE_TYPES = { step: StepBox, [EMPTY_LIST]: EmptyListBox };
const NO_LISTS: readonly EmptyList[] = [];
/** The graph listens for keys on the whole page: shortcuts would intercept space and backspace in the editor. */
const NO_KEYS = {
  deleteKeyCode: null,
  multiSelectionKeyCode: null,
  panActivationKeyCode: null,
  selectionKeyCode: null,
  zoomActivationKeyCode: null,
};
/** In larger graphs only visible steps are rendered. In smaller graphs every step can be reached by keyboard. */
const MAX_RENDERED = 150;

const BACK: ReadonlySet<string> = new Set(['ArrowUp', 'ArrowLeft']);
const ON: ReadonlySet<string> = new Set(['ArrowDown', 'ArrowRight']);

/**
 * The graph of a workflow. The arrow keys move through its steps, in the order of the document. The table of steps, and
 * the timeline of a run, show the same as text.
 */
export function WorkflowGraph({ graph, direction, ...options }: WorkflowGraphProps) {
  const layout = useLayout(graph, direction, options.editing?.emptyLists ?? NO_LISTS);
  const press = (event: KeyboardEvent): void => {
    const node = (event.target as HTMLElement).closest<HTMLElement>('[data-id]');
    const step = graph.nodes.find(({ id }) => id === node?.dataset['id']);
    if (step === undefined || event.target !== node || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter' || event.key === ' ') {
      if (options.onStep === undefined) return;
      // What opens gets the focus, but must not get the key.
      event.preventDefault();
      options.onStep(step, 'key');
      return;
    }
    const by = BACK.has(event.key) ? -1 : ON.has(event.key) ? 1 : 0;
    if (by === 0) return;
    event.preventDefault();
    const ordered = graph.nodes.toSorted((one, other) => orderOf(one) - orderOf(other));
    const next = ordered[ordered.indexOf(step) + by];
    // In a large graph, a step that is not visible is not rendered.
    const element = next && event.currentTarget.querySelector<HTMLElement>(`[data-id="${CSS.escape(next.id)}"]`);
    if (next === undefined || element == null) return;
    element.focus();
    options.onMove?.(next);
  };
  return (
    <div className="graph" onKeyDown={press}>
      {layout === undefined ? <Skeleton height="100%" /> : <DrawnGraph {...layout} {...options} />}
    </div>
  );
}

function DrawnGraph(props: GraphLayout & Omit<WorkflowGraphProps, keyof GraphLayout>) {
  const { graph, direction, steps, lanes, line, chosen, onStep, states, focus, editing } = props;
  const pane = useRef<HTMLDivElement>(null);
  const flow = useRef<ReactFlowInstance<StepNode, GraphEdge>>(undefined);
  const isEdited = editing !== undefined;
  const claimFocus = editing?.claimFocus;
  const points = useMemo(() => (isEdited ? insertionPoints(steps) : []), [isEdited, steps]);
  const { drag, handlers } = useStepDrag(() => flow.current, {
    points,
    onDrop: (step, point) => editing?.onDrop(step, point),
  });
  const scheme = useComputedColorScheme('light');
  const marked = chosen ?? stepAt(graph, line);
  useStepInView({ pane, flow, steps, step: isEdited ? marked : undefined });
  const nodes = useMemo(
    () =>
      steps.map(
        ({ step, x, y, width, height, isBlock }): StepNode => ({
          id: step.id,
          type: step.type === EMPTY_LIST ? EMPTY_LIST : 'step',
          position: drag?.id === step.id ? { x: drag.x, y: drag.y } : { x, y },
          draggable: isEdited && step.type !== EMPTY_LIST && positionOfStep(step.id) !== undefined,
          ...(step.type === EMPTY_LIST ? { focusable: false } : {}),
          ...(step.parent === undefined ? {} : { parentId: step.parent }),
          width,
          height,
          // Without its size and the ends of its edges, the graph would render each step once to measure it.
          measured: { width, height },
          handles: handlesOf({ width, height }, direction),
          data: { direction, step, isBlock, isMarked: step.id === marked, state: states?.get(step.id), claimFocus },
          ariaLabel: `${step.name}, ${step.type}${states?.get(step.id) === undefined ? '' : `, ${states.get(step.id)?.word}`}`,
        }),
      ),
    [steps, direction, marked, states, drag, isEdited, claimFocus],
  );
  const edges = useMemo(() => edgesOf(graph, lanes), [graph, lanes]);
  return (
    <ReactFlow
      ref={pane}
      nodes={nodes}
      edges={edges}
      nodeTypes={NODE_TYPES}
      edgeTypes={EDGE_TYPES}
      colorMode={scheme}
      onInit={(made) => {
        flow.current = made;
        if (pane.current === null) return;
        // A pane in a tab that is not shown has no size yet.
        onFirstSize(pane.current, (size) => void made.setViewport(initialViewport(steps, size, { direction, focus })));
      }}
      fitViewOptions={{ padding: 0.06, maxZoom: 1 }}
      minZoom={0.15}
      // A graph that goes down has its own pane. A graph that goes right is on a page that scrolls.
      zoomOnScroll={false}
      panOnScroll={direction === 'down'}
      preventScrolling={direction === 'down'}
      nodesDraggable={isEdited}
      // A click may move the pointer a little.
      nodeDragThreshold={4}
      {...handlers}
      nodesConnectable={false}
      edgesFocusable={false}
      {...NO_KEYS}
      // Most steps of a long workflow are outside the viewport.
      onlyRenderVisibleElements={steps.length > MAX_RENDERED}
      proOptions={{ hideAttribution: true }}
      onNodeClick={(_event, { data: { step } }) => {
        if (step.type !== EMPTY_LIST) onStep?.(step, 'click');
      }}
    >
      {editing !== undefined && <InsertButtons points={points} target={drag?.target} onInsert={editing.onInsert} />}
      <Controls showInteractive={false} orientation="horizontal" position="top-right" />
    </ReactFlow>
  );
}

/** Where the edges of a step end and begin: at its two handles, which have one pixel. */
function handlesOf({ width, height }: Size, direction: Direction): NodeHandle[] {
  const [across, along] = [width / 2 - 0.5, height / 2 - 0.5];
  return direction === 'down'
    ? [
        { type: 'target', position: Position.Top, x: across, y: -0.5 },
        { type: 'source', position: Position.Bottom, x: across, y: height - 0.5 },
      ]
    : [
        { type: 'target', position: Position.Left, x: -0.5, y: along },
        { type: 'source', position: Position.Right, x: width - 0.5, y: along },
      ];
}

/** Calls `act` once, as soon as an element has a size. */
function onFirstSize(element: HTMLElement, act: (size: { width: number; height: number }) => void): void {
  const observer = new ResizeObserver(() => {
    const { clientWidth: width, clientHeight: height } = element;
    if (width === 0 || height === 0) return;
    observer.disconnect();
    act({ width, height });
  });
  observer.observe(element);
}

/** The end comes after the last line, and a block before the steps in it. */
function orderOf({ type, line }: Step): number {
  return type === 'start' ? -1 : type === 'end' ? Number.POSITIVE_INFINITY : line;
}

function edgesOf({ nodes, edges }: DocumentGraph, lanes: readonly Lane[]): GraphEdge[] {
  const besides = new Map(lanes.map(({ from, to, beside }) => [`${from} ${to}`, beside]));
  const parents = new Map(nodes.map(({ id, parent }) => [id, parent]));
  const isWithin = (id: string, block: string): boolean => {
    for (let above = parents.get(id); above !== undefined; above = parents.get(above)) {
      if (above === block) return true;
    }
    return false;
  };
  return (
    edges
      // The frame of a block already shows which steps it contains.
      .filter(({ from, to }) => !isWithin(to, from) && !isWithin(from, to))
      .map(({ from, to, kind, label }, index): GraphEdge => {
        const beside = besides.get(`${from} ${to}`);
        const common = {
          id: String(index),
          source: from,
          target: to,
          ...(label === undefined ? {} : { label }),
          className: `edge edge-${kind}`,
          markerEnd: { type: MarkerType.ArrowClosed, width: 14, height: 14 },
          // Above the blocks, so that labels are always readable.
          zIndex: 2,
        };
        if (beside !== undefined) return { ...common, type: 'lane', data: { beside } };
        // The label is at the start of the edge: there may be other steps half-way.
        const pathOptions = { offset: 10, ...(label === undefined ? {} : { stepPosition: 0.1 }) };
        return { ...common, type: 'smoothstep', pathOptions };
      })
  );
}

/** Its button to insert a step stands in it. */
function EmptyListBox({ data: { step } }: NodeProps<StepNode>) {
  const member = memberOfList(step.id, step.parent ?? '');
  return <div className="step-none">{member === undefined ? 'No steps' : `No steps in ${member}`}</div>;
}

function StepBox({ data: { direction, step, isBlock, isMarked, state, claimFocus } }: NodeProps<StepNode>) {
  const isEnd = step.type === 'start' || step.type === 'end';
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isMarked && claimFocus?.() === true) box.current?.closest<HTMLElement>('[data-id]')?.focus();
  }, [isMarked, claimFocus]);
  return (
    <div
      ref={box}
      className={isEnd ? 'graph-step step-end' : isBlock ? 'graph-step step-block' : 'graph-step'}
      data-marked={isMarked || undefined}
      style={state === undefined ? undefined : { borderColor: state.colour }}
    >
      <Handle type="target" position={direction === 'down' ? Position.Top : Position.Left} isConnectable={false} />
      <div className="step-name">
        {state !== undefined && (
          <span className="step-state" style={{ color: state.colour }}>
            <state.icon size={14} aria-hidden />
          </span>
        )}
        <span className="step-title">{isEnd ? step.type : step.name}</span>
        {!isEnd && state === undefined && <span className="step-type">{step.type}</span>}
        {state !== undefined && <span className="step-word">{state.word}</span>}
      </div>
      {!isEnd && !isBlock && <div className="step-summary">{step.calls ?? plainSummary(step.summary)}</div>}
      <Handle type="source" position={direction === 'down' ? Position.Bottom : Position.Right} isConnectable={false} />
    </div>
  );
}
