// A document as the engine walks through it: steps with numbers, and the lists they stand in. Extensions are
// expanded here, around each step that they extend.
import type { Extension, Task, TaskList, WorkflowDocument } from '../document/dsl.ts';
import type { Plan, PlannedScope, PlannedStep } from './model.ts';
import { escapeToken } from '../../../lib/json-pointer.ts';
import { descriptorOf, type TaskKind, taskKindOf } from '../document/task-kind.ts';
import { TASK_TYPES } from '../task-types.ts';
import { EXTENSION_ENGINE } from './tasks/extension.ts';

export function planOf(document: WorkflowDocument): Plan {
  const steps: PlannedStep[] = [];
  const functions = new Map<string, PlannedScope>();
  const extensions = (document.use?.extensions ?? []).flatMap((item) => Object.values(item));

  function add(step: Omit<PlannedStep, 'number'>): PlannedStep {
    const numbered = { number: steps.length, ...step };
    steps.push(numbered);
    return numbered;
  }

  function listOf(tasks: TaskList, reference: string, extended?: PlannedStep): PlannedScope {
    const list: PlannedStep[] = [];
    const scope: PlannedScope = { steps: list };
    tasks.forEach((item, index) => {
      for (const [name, task] of Object.entries(item)) {
        list.push(stepOf(name, task, `${reference}/${index}/${escapeToken(name)}`, { scope, place: index }, extended));
      }
    });
    return scope;
  }

  function stepOf(
    name: string,
    task: Task,
    reference: string,
    where: { scope: PlannedScope; place: number },
    extended: PlannedStep | undefined,
  ): PlannedStep {
    const kind = taskKindOf(task);
    // What extends a step is not extended itself.
    const extending = extended === undefined ? extensions.filter(({ extend }) => isExtended(kind, extend)) : [];
    return extending.reduceRight(
      (inner, extension) => wrap(inner, extension, where),
      fill(
        add({
          name,
          reference,
          task,
          kind,
          engine: TASK_TYPES[kind].engine,
          ...where,
          ...(extended === undefined ? {} : { extends: extended }),
        }),
        extended,
      ),
    );
  }

  /** The step around another one. Once wrapped, the inner step stands in a list of its own. */
  function wrap(inner: PlannedStep, extension: Extension, where: { scope: PlannedScope; place: number }): PlannedStep {
    const { name, reference, task } = inner;
    const wrapper = add({ name, reference, task, kind: 'extension', engine: EXTENSION_ENGINE, extension, ...where });
    const body: PlannedScope = { steps: [inner] };
    inner.scope = body;
    inner.place = 0;
    wrapper.body = body;
    const base = `/use/extensions/${placeOf(document, extension)}`;
    if (extension.before !== undefined) wrapper.before = listOf(extension.before, `${base}/before`, inner);
    if (extension.after !== undefined) wrapper.after = listOf(extension.after, `${base}/after`, inner);
    return wrapper;
  }

  function fill(step: PlannedStep, extended: PlannedStep | undefined): PlannedStep {
    const { task, reference } = step;
    for (const { role, at, tasks } of descriptorOf(taskKindOf(task)).lists?.(task) ?? []) {
      step[role === 'handler' ? 'handler' : 'body'] = listOf(tasks, `${reference}${at}`, extended);
    }
    return step;
  }

  const root = listOf(document.do, '/do');
  for (const [name, task] of Object.entries(document.use?.functions ?? {})) {
    const list: PlannedStep[] = [];
    const scope: PlannedScope = { steps: list };
    list.push(stepOf(name, task, `/use/functions/${escapeToken(name)}`, { scope, place: 0 }, undefined));
    functions.set(name, scope);
  }
  return { document, root, steps, functions };
}

function isExtended(kind: TaskKind, extend: string): boolean {
  if (extend === 'composite') return descriptorOf(kind).isComposite === true;
  return extend === 'all' || extend === kind;
}

function placeOf(document: WorkflowDocument, extension: Extension): string {
  const items = document.use?.extensions ?? [];
  const index = items.findIndex((item) => Object.values(item).includes(extension));
  return `${index}/${escapeToken(Object.keys(items[index] ?? {})[0] ?? '')}`;
}
