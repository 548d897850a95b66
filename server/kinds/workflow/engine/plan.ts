// A document as the engine walks through it: steps with numbers, and the lists they stand in. Extensions are
// expanded here, around each step that they extend.
import { escapeToken } from '../../../lib/json-pointer.ts';
import {
  type Extension,
  type Task,
  type TaskKind,
  taskKindOf,
  type TaskList,
  type WorkflowDocument,
} from '../document/index.ts';

/** A list of steps that run one after the other, or the branches of a fork. */
export interface Scope {
  steps: readonly Step[];
}

export interface Step {
  /** Its place in `Plan.steps`. */
  number: number;
  name: string;
  /** JSON Pointer in the document. */
  reference: string;
  task: Task;
  kind: StepKind;
  /** Where it stands, and its place there. */
  scope: Scope;
  place: number;
  /** The steps under it: of `do`, `for`, `fork`, `try`, `listen.foreach`, or the step that is extended. */
  body?: Scope;
  /** The steps of a catch. */
  handler?: Scope;
  before?: Scope;
  after?: Scope;
  extension?: Extension;
  /** For a step of an extension: the step that is extended, which is what `$task` means there. */
  extends?: Step;
}

export type StepKind = TaskKind | 'extension';

export interface Plan {
  document: WorkflowDocument;
  root: Scope;
  steps: readonly Step[];
  /** The workflow's own functions, each a list of one step. */
  functions: ReadonlyMap<string, Scope>;
}

export function planOf(document: WorkflowDocument): Plan {
  const steps: Step[] = [];
  const functions = new Map<string, Scope>();
  const extensions = (document.use?.extensions ?? []).flatMap((item) => Object.values(item));

  function add(step: Omit<Step, 'number'>): Step {
    const numbered = { number: steps.length, ...step };
    steps.push(numbered);
    return numbered;
  }

  function listOf(tasks: TaskList, reference: string, extended?: Step): Scope {
    const list: Step[] = [];
    const scope: Scope = { steps: list };
    tasks.forEach((item, place) => {
      for (const [name, task] of Object.entries(item)) {
        list.push(stepOf(name, task, `${reference}/${place}/${escapeToken(name)}`, { scope, place }, extended));
      }
    });
    return scope;
  }

  function stepOf(
    name: string,
    task: Task,
    reference: string,
    where: { scope: Scope; place: number },
    extended: Step | undefined,
  ): Step {
    const kind = taskKindOf(task);
    // What extends a step is not extended itself.
    const extending = extended === undefined ? extensions.filter(({ extend }) => isExtended(kind, extend)) : [];
    return extending.reduceRight(
      (inner, extension) => wrap(inner, extension, where),
      fill(
        add({ name, reference, task, kind, ...where, ...(extended === undefined ? {} : { extends: extended }) }),
        extended,
      ),
    );
  }

  /** The step around another one. Once wrapped, the inner step stands in a list of its own. */
  function wrap(inner: Step, extension: Extension, where: { scope: Scope; place: number }): Step {
    const { name, reference, task } = inner;
    const wrapper = add({ name, reference, task, kind: 'extension', extension, ...where });
    const body: Scope = { steps: [inner] };
    inner.scope = body;
    inner.place = 0;
    wrapper.body = body;
    const base = `/use/extensions/${placeOf(document, extension)}`;
    if (extension.before !== undefined) wrapper.before = listOf(extension.before, `${base}/before`, inner);
    if (extension.after !== undefined) wrapper.after = listOf(extension.after, `${base}/after`, inner);
    return wrapper;
  }

  function fill(step: Step, extended: Step | undefined): Step {
    const { task, reference } = step;
    if ('for' in task) step.body = listOf(task.do, `${reference}/do`, extended);
    else if ('do' in task) step.body = listOf(task.do, `${reference}/do`, extended);
    else if ('fork' in task) step.body = listOf(task.fork.branches ?? [], `${reference}/fork/branches`, extended);
    else if ('try' in task) {
      step.body = listOf(task.try, `${reference}/try`, extended);
      if (task.catch.do !== undefined) step.handler = listOf(task.catch.do, `${reference}/catch/do`, extended);
    } else if ('listen' in task && task.foreach?.do !== undefined) {
      step.body = listOf(task.foreach.do, `${reference}/foreach/do`, extended);
    }
    return step;
  }

  const root = listOf(document.do, '/do');
  for (const [name, task] of Object.entries(document.use?.functions ?? {})) {
    const list: Step[] = [];
    const scope: Scope = { steps: list };
    list.push(stepOf(name, task, `/use/functions/${escapeToken(name)}`, { scope, place: 0 }, undefined));
    functions.set(name, scope);
  }
  return { document, root, steps, functions };
}

function isExtended(kind: StepKind, extend: string): boolean {
  return extend === 'all' || extend === kind || (extend === 'composite' && (kind === 'do' || kind === 'fork'));
}

function placeOf(document: WorkflowDocument, extension: Extension): string {
  const items = document.use?.extensions ?? [];
  const place = items.findIndex((item) => Object.values(item).includes(extension));
  return `${place}/${escapeToken(Object.keys(items[place] ?? {})[0] ?? '')}`;
}
