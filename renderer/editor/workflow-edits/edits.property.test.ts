// Whatever the layout: the steps, what names them and the rest of the text are after an edit what the edit means.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { isJsonObject, type Json, type JsonObject, memberOf } from '../../../shared/json.ts';
import { pointerTo } from '../../../shared/json-pointer.ts';
import { changed } from './changes.ts';
import { type Document, DOCUMENT } from './documents.testing.ts';
import { editWorkflow, type StepEdit } from './index.ts';

/** A list of steps with ids for names, and with ids of steps where a `then` or a pointer names one. */
interface Node {
  id: number;
  thens: (number | string)[];
  lists: Node[][];
}

interface Found {
  id: number;
  pointer: string;
  name: string;
  task: JsonObject;
  list: string;
  index: number;
}

const LISTS = [['do'], ['try'], ['catch', 'do'], ['fork', 'branches'], ['foreach', 'do']];

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce((holder, name) => memberOf(holder, name), value);
}

function foundIn(items: unknown, list: string): Found[] {
  return (items as JsonObject[]).flatMap((item, index) => {
    const [[name, task] = ['', {}]] = Object.entries(item);
    const pointer = `${list}${pointerTo([String(index), name])}`;
    const id = at(task, ['metadata', 'id']) as number;
    const below = LISTS.flatMap((path) =>
      Array.isArray(at(task, path)) ? foundIn(at(task, path), pointer + pointerTo(path)) : [],
    );
    return [{ id, pointer, name, task: task as JsonObject, list, index }, ...below];
  });
}

function treeOf(items: unknown, pointers: ReadonlyMap<string, number>): Node[] {
  const list = items as JsonObject[];
  const ids = new Map(list.map((item) => [Object.keys(item)[0] ?? '', at(Object.values(item)[0], ['metadata', 'id'])]));
  return list.map((item): Node => {
    const [task] = Object.values(item);
    const written = at(task, ['switch']);
    // An edit may have set a case to any value.
    const cases = Array.isArray(written) ? (written as Json[]).filter(isJsonObject) : [];
    const targets = [
      at(task, ['then']),
      at(task, ['catch', 'then']),
      ...cases.map((one) => memberOf(Object.values(one)[0], 'then')),
    ];
    const instance = at(task, ['catch', 'errors', 'with', 'instance']) as string | undefined;
    return {
      id: at(task, ['metadata', 'id']) as number,
      thens: [
        ...targets.map((then) => (ids.get(then as string) as number | undefined) ?? (then as string)),
        ...(instance === undefined ? [] : [pointers.get(instance) ?? 'gone']),
      ],
      lists: LISTS.flatMap((path) => (Array.isArray(at(task, path)) ? [treeOf(at(task, path), pointers)] : [])),
    };
  });
}

interface Read {
  data: JsonObject;
  steps: Found[];
  tree: Node[];
  /** What the examples name. */
  named: (number | 'gone')[];
}

function read(source: string): Read {
  const data = parse(source, { version: '1.2', schema: 'core' }) as JsonObject;
  const steps = foundIn(data['do'], '/do');
  const pointers = new Map(steps.map(({ pointer, id }) => [pointer, id]));
  const [example] = at(data, ['document', 'metadata', 'examples']) as JsonObject[];
  const named = Object.keys(example?.['calls'] as JsonObject).map((pointer) => pointers.get(pointer) ?? 'gone');
  return { data, steps, tree: treeOf(data['do'], pointers), named };
}

/** The list of the tree that holds a step. */
function holderOf(tree: Node[], id: number): Node[] {
  if (tree.some((node) => node.id === id)) return tree;
  return tree.flatMap(({ lists }) => lists.map((list) => holderOf(list, id))).find(({ length }) => length > 0) ?? [];
}

function idsIn(tree: readonly Node[]): number[] {
  return tree.flatMap(({ id, lists }) => [id, ...lists.flatMap(idsIn)]);
}

/** Takes a step out: what named it beside it names the next one. */
function takenFrom(tree: Node[], id: number, isLeavingList: boolean): Node | undefined {
  const holder = holderOf(tree, id);
  const index = holder.findIndex((node) => node.id === id);
  const [node] = holder.splice(index, 1);
  const next = holder[index]?.id ?? 'exit';
  if (isLeavingList) for (const other of holder) other.thens = other.thens.map((then) => (then === id ? next : then));
  return node;
}

/** @param refusals why the edit may be refused: such cases are not looked at */
function edited(source: string, edit: StepEdit, refusals: readonly RegExp[] = []): { text: string; step?: string } {
  const result = editWorkflow(source, edit);
  if ('refused' in result) {
    if (!refusals.some((refusal) => refusal.test(result.refused))) throw new Error(result.refused);
    return fc.pre(false) as never;
  }
  let end = -1;
  for (const { from, to, insert } of result.changes) {
    expect(from).toBeGreaterThan(end);
    expect(to).toBeGreaterThanOrEqual(from);
    expect(source.slice(from, to)).not.toBe(insert);
    end = to;
  }
  return { text: changed(source, result.changes), ...(result.step === undefined ? {} : { step: result.step }) };
}

/** Why an edit may be refused, besides what each test expects. */
const BRACKETS = /step with comments cannot move into a list in brackets/;

/** The lines of the steps that hold no step and were not edited are in the text as they were. */
function expectLeaves(
  { leaves }: Document,
  before: Read,
  after: Read,
  text: string,
  touched: ReadonlySet<number>,
): void {
  const lines = text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.trimStart())
    .join('\n');
  const same = new Map(before.steps.map(({ id, name, task }) => [id, JSON.stringify([name, task])]));
  const missing = after.steps
    .filter(({ id, name, task }) => !touched.has(id) && JSON.stringify([name, task]) === same.get(id))
    .map(({ id }) => leaves.get(id) ?? '')
    .filter((leaf) => !lines.includes(leaf));
  expect(missing).toEqual([]);
}

const CHOICE = fc.nat(1000);
const RUNS = { numRuns: 60 };

test('an added step stands where it was asked for, and deleting it gives the text back', () => {
  fc.assert(
    fc.property(
      DOCUMENT,
      CHOICE,
      CHOICE,
      fc.constantFrom('new', 'read', 'exit', '', "it's"),
      (document, a, b, name) => {
        const before = read(document.source);
        const lists = [
          '/do',
          ...before.steps.flatMap(({ pointer, task }) =>
            LISTS.filter((path) => Array.isArray(at(task, path))).map((path) => pointer + pointerTo(path)),
          ),
        ];
        const list = lists[a % lists.length] ?? '';
        const length = before.steps.filter((step) => step.list === list).length;
        const index = b % (length + 1);
        const task = { metadata: { id: 0 }, set: { text: 'a\n\nb\n', list: [1, { c: null }], none: {} } };
        const result = edited(document.source, { do: 'insert', list, at: index, name, task });
        const after = read(result.text);
        const added = after.steps.find(({ pointer }) => pointer === result.step);
        expect(added).toMatchObject({ id: 0, index, task });
        takenFrom(after.tree, 0, false);
        expect(after.tree).toEqual(before.tree);
        expect(after.named).toEqual(before.named);
        expectLeaves(document, before, after, result.text, new Set());
        expect(edited(result.text, { do: 'delete', step: result.step ?? '' })).toEqual({ text: document.source });
      },
    ),
    RUNS,
  );
});

test('a deleted step is gone, and nothing else', () => {
  fc.assert(
    fc.property(DOCUMENT, CHOICE, (document, a) => {
      const before = read(document.source);
      const step = before.steps[a % before.steps.length];
      fc.pre(step !== undefined);
      const result = edited(document.source, { do: 'delete', step: step.pointer }, [/goes back to/]);
      const after = read(result.text);
      const gone = takenFrom(before.tree, step.id, true);
      const ids = new Set(idsIn(gone === undefined ? [] : [gone]));
      expect(after.tree).toEqual(before.tree);
      expect(after.named).toEqual(before.named.map((id) => (ids.has(id as number) ? 'gone' : id)));
      expectLeaves(document, before, after, result.text, ids);
    }),
    RUNS,
  );
});

test('a moved step is the same elsewhere, and what names it names it still', () => {
  fc.assert(
    fc.property(DOCUMENT, CHOICE, CHOICE, CHOICE, (document, a, b, c) => {
      const before = read(document.source);
      const step = before.steps[a % before.steps.length];
      fc.pre(step !== undefined);
      const lists = [
        '/do',
        ...before.steps.flatMap(({ pointer, task }) =>
          LISTS.filter((path) => Array.isArray(at(task, path))).map((path) => pointer + pointerTo(path)),
        ),
      ];
      const list = lists[b % lists.length] ?? '';
      const isSame = list === step.list;
      const length = before.steps.filter((one) => one.list === list).length;
      const index = c % (isSame ? length : length + 1);
      const refusals = [BRACKETS, /into itself/, ...(isSame ? [] : [/goes back to/, /continues with/])];
      const result = edited(document.source, { do: 'move', step: step.pointer, list, at: index }, refusals);
      const after = read(result.text);
      expect(after.steps.find(({ pointer }) => pointer === result.step)).toMatchObject({ id: step.id, index });
      expect(after.named).toEqual(before.named);
      const [one, other] = [takenFrom(before.tree, step.id, !isSame), takenFrom(after.tree, step.id, false)];
      expect(other).toEqual(one);
      expect(after.tree).toEqual(before.tree);
      // Between brackets and lines, a step is written again.
      const isWritten = document.style.layout === 'brackets';
      expectLeaves(document, before, after, result.text, new Set(isWritten && one !== undefined ? idsIn([one]) : []));
    }),
    RUNS,
  );
});

test('a renamed step is named everywhere', () => {
  fc.assert(
    fc.property(DOCUMENT, CHOICE, fc.constantFrom('new', 'a: b', 'n/~', '12', "isn't", 'é'), (document, a, name) => {
      const before = read(document.source);
      const step = before.steps[a % before.steps.length];
      fc.pre(step !== undefined);
      const result = edited(document.source, { do: 'rename', step: step.pointer, name });
      const after = read(result.text);
      expect(after.steps.find(({ pointer }) => pointer === result.step)).toMatchObject({ id: step.id, name });
      expect(after.tree).toEqual(before.tree);
      expect(after.named).toEqual(before.named);
      expectLeaves(document, before, after, result.text, new Set([step.id]));
    }),
    RUNS,
  );
});

test('a copy stands behind its step, and deleting it gives the text back', () => {
  fc.assert(
    fc.property(DOCUMENT, CHOICE, (document, a) => {
      const before = read(document.source);
      const step = before.steps[a % before.steps.length];
      fc.pre(step !== undefined);
      const result = edited(document.source, { do: 'duplicate', step: step.pointer });
      const after = read(result.text);
      const copy = after.steps.find(({ pointer }) => pointer === result.step);
      expect(copy).toMatchObject({ index: step.index + 1, list: step.list });
      expect(after.named).toEqual(before.named);
      expectLeaves(document, before, after, result.text, new Set());
      expect(edited(result.text, { do: 'delete', step: result.step ?? '' })).toEqual({ text: document.source });
    }),
    RUNS,
  );
});

const VALUE = fc.oneof(
  fc.constantFrom<Json>(null, true, 0, -1.5, '', 'text', 'a\nb\n', ' # x', '${ .a }', 'é\n\n', [], {}),
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>,
  fc.dictionary(fc.constantFrom('text', 'do', 'k', 'a b'), fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>),
);

test('a field has its value, and every other field the one that it had', () => {
  const fields = [
    '/set',
    '/set/text',
    '/if',
    '/output/as',
    '/with/a b/c',
    '/then',
    '/metadata/note',
    '/switch/0',
    '/for',
  ];
  fc.assert(
    fc.property(
      DOCUMENT,
      CHOICE,
      fc.constantFrom(...fields),
      fc.option(VALUE, { nil: undefined }),
      (document, a, field, value) => {
        const before = read(document.source);
        const step = before.steps[a % before.steps.length];
        fc.pre(step !== undefined);
        const result = edited(document.source, { do: 'set', step: step.pointer, field, value }, [
          /no place|is not an object/,
        ]);
        const after = read(result.text);
        const tokens = field.slice(1).split('/');
        const task = structuredClone(step.task);
        let holder: Json = task;
        for (const token of tokens.slice(0, -1)) {
          const next: Json | undefined = (holder as JsonObject)[token];
          if (next === undefined && value === undefined) break;
          (holder as JsonObject)[token] ??= {};
          holder = (holder as JsonObject)[token] ?? {};
        }
        const last = tokens.at(-1) ?? '';
        if (value !== undefined) (holder as JsonObject)[last] = value;
        else if (Array.isArray(holder)) holder.splice(Number(last), 1);
        else Reflect.deleteProperty(holder as JsonObject, last);
        const found = after.steps.find(({ pointer }) => pointer === step.pointer);
        // JSON has one zero.
        expect(JSON.parse(JSON.stringify(found?.task))).toEqual(JSON.parse(JSON.stringify(task)));
        expectLeaves(document, before, after, result.text, new Set([step.id]));
      },
    ),
    RUNS,
  );
});
