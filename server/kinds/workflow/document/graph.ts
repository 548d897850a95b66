// A workflow as a drawing: its steps as nodes, and the possible next steps of each as edges.
//
// 1. A node is a step, its id the step's pointer, its `parent` the step that it stands under. Two more nodes, `start`
//    and `end`, stand for the workflow. Functions stand alone; extensions are not drawn, they are around every step.
// 2. Leaving a list by its last step is no edge: the step around it has edges of its own.
// 3. Every edge joins two nodes; no two edges have the same ends, kind and label.
import type { Places } from '../../../lib/yaml/index.ts';
import type { TaskKind } from './task-kind.ts';
import { nextTargetOf } from './rules/outcomes.ts';
import type { Directive } from './tasks/descriptor.ts';
import { directivesOf, type Walk, type WalkedScope, type WalkedStep } from './walk.ts';
import { stepWords } from './overview.ts';

export interface GraphNode {
  id: string;
  name: string;
  type: TaskKind | 'start' | 'end';
  /** What it does, in a few words. */
  summary: string;
  /** Id of the node that it stands under. */
  parent?: string;
  /** What it calls, where that is known: TYPE/NAME or SERVER/TOOL. */
  calls?: string;
  /** Line of the source, from 1. */
  line: number;
}

/**
 * How one node leads to another: `next` in order, `then` by name, `case` of a switch, `skip` where its `if` does not
 * hold, `exit` out of its list, `catch` after an error, `enter` to the first step under it, `branch` of a fork, `call`
 * of a function of the document.
 */
export type EdgeKind = 'next' | 'then' | 'case' | 'skip' | 'exit' | 'catch' | 'enter' | 'branch' | 'call';

export interface GraphEdge {
  from: string;
  to: string;
  kind: EdgeKind;
  /** The name of a case, or a condition. */
  label?: string;
}

export interface WorkflowGraph {
  nodes: GraphNode[];
  edges: GraphEdge[];
}

const START = 'start';
const END = 'end';

/** Draws a document that was checked. */
export function graphOf(walked: Walk, positions: Places): WorkflowGraph {
  const edges = new Map<string, GraphEdge>();
  const join = (edge: GraphEdge): void => void edges.set(JSON.stringify(edge), edge);
  const nodes: GraphNode[] = [{ id: START, name: START, type: START, summary: 'the workflow starts', line: 1 }];

  function draw(scope: WalkedScope, parent: string | undefined): void {
    for (const step of scope.steps) {
      nodes.push(nodeOf(step, parent, positions));
      for (const edge of edgesOf(step, parent ?? END, walked)) join(edge);
      for (const { scope: body } of step.bodies) draw(body, step.pointer);
    }
  }

  const [first] = walked.root.steps;
  join({ from: START, to: first?.pointer ?? END, kind: 'next' });
  draw(walked.root, undefined);
  for (const scope of walked.functions.values()) draw(scope, undefined);
  nodes.push({
    id: END,
    name: END,
    type: END,
    summary: 'the workflow ends',
    line: positions.positionOf('/do', 'key').line,
  });
  return { nodes, edges: [...edges.values()] };
}

function nodeOf(step: WalkedStep, parent: string | undefined, positions: Places): GraphNode {
  const { pointer, name, kind, task, descriptor } = step;
  const { definition, tool } = descriptor.reaches?.(task) ?? {};
  const calls = definition === undefined ? tool : `${definition.type}/${definition.name}`;
  return {
    id: pointer,
    name,
    type: kind,
    summary: stepWords(step),
    ...(parent === undefined ? {} : { parent }),
    ...(calls === undefined ? {} : { calls }),
    line: positions.positionOf(pointer, 'key').line,
  };
}

/** @param around the node that leaving the step's list leads to */
function edgesOf(step: WalkedStep, around: string, { functions }: Walk): GraphEdge[] {
  const { task, descriptor, pointer: from, bodies, scope } = step;
  const alwaysFails = descriptor.alwaysFails === true;
  const edges: GraphEdge[] = [];
  const goOn = (kind: EdgeKind, then: string | undefined, label?: string): void => {
    const to = targetOf(step, then, around);
    if (to === undefined) return;
    const shown = then === 'exit' ? 'exit' : kind;
    edges.push({ from, to, kind: shown, ...(label === undefined ? {} : { label }) });
  };
  const directives = directivesOf(step);
  const cases = directives.filter(({ of }) => of === 'case');
  for (const { then, label } of cases) goOn('case', then, label);
  if (!alwaysFails && !cases.some(({ isDefault }) => isDefault === true)) goOn(ownKind(task.then), task.then);
  if (task.if !== undefined && (alwaysFails || !isNext(task.then))) goOn('skip', undefined, `not ${task.if}`);
  for (const { then } of directives.filter(isCatch)) goOn('catch', then);
  for (const { role, scope: body } of bodies) {
    const entered = role === 'branches' ? body.steps : body.steps.slice(0, 1);
    const kind = role === 'branches' ? 'branch' : role === 'handler' ? 'catch' : 'enter';
    for (const { pointer: to } of entered) edges.push({ from, to, kind });
  }
  const called = functions.get(descriptor.functionName?.(task) ?? '');
  if (called !== undefined && called !== scope) edges.push({ from, to: called.pointer, kind: 'call' });
  return edges;
}

function ownKind(then: string | undefined): EdgeKind {
  return isNext(then) ? 'next' : 'then';
}

function isNext(then: string | undefined): boolean {
  return then === undefined || then === 'continue';
}

function isCatch({ of }: Directive): boolean {
  return of === 'catch';
}

/** The node that a directive leads to; undefined where a list ends by its last step, and after a branch or function. */
function targetOf(step: WalkedStep, then: string | undefined, around: string): string | undefined {
  if (then === 'end') return END;
  if (step.scope.kind !== 'list') return undefined;
  const way = nextTargetOf(step, then);
  if (typeof way === 'number') return step.scope.steps[way]?.pointer;
  return then === 'exit' || around === END ? around : undefined;
}
