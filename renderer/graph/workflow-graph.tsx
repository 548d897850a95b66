import '@xyflow/react/dist/style.css';
import './graph.css';
import { Skeleton, useComputedColorScheme } from '@mantine/core';
import {
  Controls,
  Handle,
  MarkerType,
  type NodeProps,
  Position,
  ReactFlow,
  type Node,
  type BuiltInEdge,
} from '@xyflow/react';
import { type KeyboardEvent, useMemo, useRef } from 'react';
import type { DocumentGraph } from '../../shared/api/index.ts';
import { initialViewport } from './initial-viewport.ts';
import type { Direction } from './lay-out.ts';
import { plainSummary, stepAt, type StepState } from './steps.ts';
import { type GraphLayout, useLayout } from './use-layout.ts';

export interface WorkflowGraphProps {
  graph: DocumentGraph;
  direction: Direction;
  /** The current line in the editor: its step is highlighted. */
  line?: number | undefined;
  onLine?: (line: number) => void;
  /** The states of the steps of a run, by JSON Pointer. */
  states?: ReadonlyMap<string, StepState>;
  /** The step to show first if the graph does not fit. */
  focus?: string | undefined;
}

type Step = DocumentGraph['nodes'][number];
type StepNode = Node<
  { direction: Direction; step: Step; isBlock: boolean; isMarked: boolean; state: StepState | undefined },
  'step'
>;

const NODE_TYPES = { step: StepBox };
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

/** The graph of a workflow. The table of steps, and the timeline of a run, show the same as text. */
export function WorkflowGraph({ graph, direction, ...options }: WorkflowGraphProps) {
  const layout = useLayout(graph, direction);
  // Enter and space on a focused step go to its line.
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    const id = (event.target as HTMLElement).dataset['id'];
    const step = graph.nodes.find((node) => node.id === id);
    if (step === undefined || options.onLine === undefined) return;
    // The editor gets the focus, but must not get the key.
    event.preventDefault();
    options.onLine(step.line);
  };
  return (
    <div className="graph" onKeyDown={press}>
      {layout === undefined ? <Skeleton height="100%" /> : <DrawnGraph {...layout} {...options} />}
    </div>
  );
}

function DrawnGraph(props: GraphLayout & Omit<WorkflowGraphProps, keyof GraphLayout>) {
  const { graph, direction, steps, line, onLine, states, focus } = props;
  const pane = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme('light');
  const marked = stepAt(graph, line);
  const nodes = useMemo(
    () =>
      steps.map(
        ({ step, x, y, width, height, isBlock }): StepNode => ({
          id: step.id,
          type: 'step',
          position: { x, y },
          ...(step.parent === undefined ? {} : { parentId: step.parent }),
          width,
          height,
          data: { direction, step, isBlock, isMarked: step.id === marked, state: states?.get(step.id) },
          ariaLabel: `${step.name}, ${step.type}${states?.get(step.id) === undefined ? '' : `, ${states.get(step.id)?.word}`}`,
        }),
      ),
    [steps, direction, marked, states],
  );
  const edges = useMemo(() => edgesOf(graph), [graph]);
  return (
    <ReactFlow
      ref={pane}
      nodes={nodes}
      edges={edges}
      nodeTypes={NODE_TYPES}
      colorMode={scheme}
      onInit={({ setViewport }) => {
        const { clientWidth: width = 0, clientHeight: height = 0 } = pane.current ?? {};
        void setViewport(initialViewport(steps, { width, height }, { direction, focus }));
      }}
      fitViewOptions={{ padding: 0.06, maxZoom: 1 }}
      minZoom={0.15}
      // A graph that goes down has its own pane. A graph that goes right is on a page that scrolls.
      zoomOnScroll={false}
      panOnScroll={direction === 'down'}
      preventScrolling={direction === 'down'}
      nodesDraggable={false}
      nodesConnectable={false}
      edgesFocusable={false}
      {...NO_KEYS}
      // Most steps of a long workflow are outside the viewport.
      onlyRenderVisibleElements={steps.length > MAX_RENDERED}
      proOptions={{ hideAttribution: true }}
      onNodeClick={(_event, node) => onLine?.(node.data.step.line)}
    >
      <Controls showInteractive={false} orientation="horizontal" position="top-right" />
    </ReactFlow>
  );
}

function edgesOf({ nodes, edges }: DocumentGraph): BuiltInEdge[] {
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
      .map(
        ({ from, to, kind, label }, index): BuiltInEdge => ({
          id: String(index),
          source: from,
          target: to,
          type: 'smoothstep',
          // The label is at the start of the edge: there may be other steps half-way.
          pathOptions: { offset: 10, ...(label === undefined ? {} : { stepPosition: 0.1 }) },
          ...(label === undefined ? {} : { label }),
          className: `edge edge-${kind}`,
          markerEnd: { type: MarkerType.ArrowClosed, width: 14, height: 14 },
          // Above the blocks, so that labels are always readable.
          zIndex: 2,
        }),
      )
  );
}

function StepBox({ data: { direction, step, isBlock, isMarked, state } }: NodeProps<StepNode>) {
  const isEnd = step.type === 'start' || step.type === 'end';
  return (
    <div
      className={isEnd ? 'step step-end' : isBlock ? 'step step-block' : 'step'}
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
        {isEnd ? step.type : step.name}
        {!isEnd && state === undefined && <span className="step-type">{step.type}</span>}
        {state !== undefined && <span className="step-word">{state.word}</span>}
      </div>
      {!isEnd && !isBlock && <div className="step-summary">{step.calls ?? plainSummary(step.summary)}</div>}
      <Handle type="source" position={direction === 'down' ? Position.Bottom : Position.Right} isConnectable={false} />
    </div>
  );
}
