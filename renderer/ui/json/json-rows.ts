// A JSON value as the lines of its tree. Only what is open becomes lines, and of a long list or object only the first
// members, so that the cost depends on what is shown, not on the size of the value.
import { isJsonObject } from '../../../shared/json.ts';

/** Names of members and indexes in lists, from the root. */
export type JsonPath = readonly (string | number)[];

export interface JsonRow {
  path: JsonPath;
  /** Absent at the root and in lists. */
  name?: string;
  content:
    | { is: 'value'; value: unknown }
    /** The first line of a list or an object, or all of a closed one. */
    | { is: 'parent'; value: object; size: number; isOpen: boolean }
    | { is: 'end'; bracket: ']' | '}' }
    /** Members that are not shown yet. */
    | { is: 'rest'; parent: string; remaining: number };
  /** Whether another member of the same parent follows. */
  isFollowed: boolean;
}

export interface Opened {
  /** Keys of the lists and objects whose members are shown. */
  open: ReadonlySet<string>;
  /** How many members of a parent are shown, by its key; `FIRST_MEMBERS` for the others. */
  shown: ReadonlyMap<string, number>;
}

/** Members of a parent that are shown at first, and that are added each time more are requested. */
export const FIRST_MEMBERS = 100;
/** A value is opened, level by level, as long as it has no more lines than this. */
const FIRST_LINES = 200;

export function keyOf(path: JsonPath): string {
  return JSON.stringify(path);
}

/** The members of a list or an object; undefined for any other value. */
export function membersOf(value: unknown): [string | number, unknown][] | undefined {
  if (Array.isArray(value)) return value.map((item, index) => [index, item]);
  return isJsonObject(value) ? Object.entries(value) : undefined;
}

/** The parents that are open at first. */
export function openAtFirst(value: unknown): Set<string> {
  const open = new Set<string>();
  let level: [JsonPath, unknown][] = [[[], value]];
  for (let lines = 1; level.length > 0; ) {
    const next: [JsonPath, unknown][] = [];
    const keys: string[] = [];
    for (const [path, parent] of level) {
      const members = membersOf(parent)?.slice(0, FIRST_MEMBERS) ?? [];
      if (members.length === 0) continue;
      lines += members.length + 1;
      if (lines > FIRST_LINES && path.length > 0) return open;
      keys.push(keyOf(path));
      for (const [key, member] of members) next.push([[...path, key], member]);
    }
    for (const key of keys) open.add(key);
    level = next;
  }
  return open;
}

export function rowsOf(value: unknown, opened: Opened): JsonRow[] {
  const rows: JsonRow[] = [];
  const add = (path: JsonPath, one: unknown, isFollowed: boolean): void => {
    const last = path.at(-1);
    const named = { path, ...(typeof last === 'string' ? { name: last } : {}), isFollowed };
    const members = membersOf(one);
    if (members === undefined) {
      rows.push({ ...named, content: { is: 'value', value: one } });
      return;
    }
    const key = keyOf(path);
    const isOpen = members.length > 0 && opened.open.has(key);
    rows.push({ ...named, content: { is: 'parent', value: one as object, size: members.length, isOpen } });
    if (!isOpen) return;
    const most = opened.shown.get(key) ?? FIRST_MEMBERS;
    for (const [index, [name, member]] of members.slice(0, most).entries()) {
      add([...path, name], member, index + 1 < members.length);
    }
    const remaining = members.length - most;
    if (remaining > 0)
      rows.push({ path: [...path, ''], content: { is: 'rest', parent: key, remaining }, isFollowed: false });
    rows.push({ path, content: { is: 'end', bracket: Array.isArray(one) ? ']' : '}' }, isFollowed });
  };
  add([], value, false);
  return rows;
}

/** The path as an expression of jq, for example `.orders[0]."unit price"`. */
export function pathText(path: JsonPath): string {
  const text = path
    .map((part) => {
      if (typeof part === 'number') return `[${part}]`;
      return /^[A-Za-z_][A-Za-z0-9_]*$/.test(part) ? `.${part}` : `.${JSON.stringify(part)}`;
    })
    .join('');
  return text.startsWith('.') ? text : `.${text}`;
}

export interface Found {
  paths: readonly JsonPath[];
  /** There are more than `MOST_FOUND`. */
  isCut: boolean;
}

const MOST_FOUND = 1000;

/** The names, texts, numbers, booleans and nulls that contain a text, in the order of the value; upper and lower case are alike. */
export function findInJson(value: unknown, text: string): Found {
  const sought = text.toLowerCase();
  const paths: JsonPath[] = [];
  const contains = (part: unknown): boolean => String(part).toLowerCase().includes(sought);
  const isCut = (): boolean => paths.length > MOST_FOUND;
  const search = (path: JsonPath, one: unknown): void => {
    const last = path.at(-1);
    const members = membersOf(one);
    if ((typeof last === 'string' && contains(last)) || (members === undefined && contains(one))) paths.push(path);
    for (const [key, member] of members ?? []) {
      if (isCut()) return;
      search([...path, key], member);
    }
  };
  if (sought !== '') search([], value);
  return { paths: paths.slice(0, MOST_FOUND), isCut: isCut() };
}

/** What must be opened, too, for the line of a path to be shown. */
export function openTo(value: unknown, path: JsonPath, { open, shown }: Opened): Opened {
  const opened = new Set(open);
  const more = new Map(shown);
  let parent = value;
  for (const [depth, part] of path.entries()) {
    const key = keyOf(path.slice(0, depth));
    opened.add(key);
    const index = typeof part === 'number' ? part : Object.keys(parent as object).indexOf(part);
    const pages = Math.ceil((index + 1) / FIRST_MEMBERS);
    more.set(key, Math.max(more.get(key) ?? FIRST_MEMBERS, pages * FIRST_MEMBERS));
    parent = (parent as Record<string | number, unknown>)[part];
  }
  return { open: opened, shown: more };
}
