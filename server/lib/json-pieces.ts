// Writes a value as JSON in pieces, so that a large one holds up nobody and is never one text.
//
// 1. The pieces together are what `JSON.stringify` returns, with an async iterable written as a list of its items and a
//    `JsonText` as its text. Nothing recurses.
// 2. An item of an async iterable is asked for when all before it are written: a slow reader holds back what is read.
// 3. Between two pieces, other work runs once 10 ms have passed.
import { createYielder } from './event-loop.ts';
import { isWithin } from './json-bounds.ts';
import { JsonText } from './json-text.ts';

/** Characters of a piece. */
const PIECE = 64 * 1024;
/** What is written at once: looking at it costs about as much as writing it. */
const MOST_NODES_AT_ONCE = 200;
const MOST_DEPTH_AT_ONCE = 8;

interface Open {
  end: ']' | '}';
  isEmpty: boolean;
  /** What is left to be written, each with the name of its member. */
  next: () => Part | undefined | Promise<Part | undefined>;
  close: () => unknown;
}

type Part = readonly [name: string | undefined, value: unknown];

export async function* jsonPieces(value: unknown): AsyncGenerator<string> {
  const yieldIfLong = createYielder();
  const open: Open[] = [];
  let written = '';

  function begin(one: unknown): void {
    if (one instanceof JsonText) written += one.text;
    else if (isAsyncIterable(one)) openHolder('[', openItems(one));
    else if (isWrittenAtOnce(one)) written += JSON.stringify(one) ?? 'null';
    else if (Array.isArray(one)) openHolder('[', openList(one));
    else openHolder('{', openObject(one as object));
  }

  function openHolder(sign: '[' | '{', holder: Open): void {
    written += sign;
    open.push(holder);
  }

  try {
    begin(value);
    for (;;) {
      while (written.length >= PIECE) {
        // Both halves of a surrogate pair stand in one piece.
        const cut = /[\uDC00-\uDFFF]/.test(written.charAt(PIECE)) ? PIECE - 1 : PIECE;
        yield written.slice(0, cut);
        written = written.slice(cut);
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        await yieldIfLong();
      }
      const holder = open.at(-1);
      if (holder === undefined) break;
      const found = holder.next();
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const part = found instanceof Promise ? await found : found;
      if (part === undefined) {
        written += holder.end;
        open.pop();
        continue;
      }
      const [name, one] = part;
      written += `${holder.isEmpty ? '' : ','}${name === undefined ? '' : `${JSON.stringify(name)}:`}`;
      holder.isEmpty = false;
      begin(one);
    }
    if (written !== '') yield written;
  } finally {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    for (const holder of open.toReversed()) await holder.close();
  }
}

/** The whole text. */
export async function wholeJson(value: unknown): Promise<string> {
  let text = '';
  for await (const piece of jsonPieces(value)) text += piece;
  return text;
}

/** Whether `JSON.stringify` writes a value, and in about a millisecond, apart from long texts. */
export function isPlainAndSmall(value: unknown): boolean {
  return isWithin(value, 1000, 64) && !(typeof value === 'object' && value !== null && holdsParts(value));
}

export function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

function isWrittenAtOnce(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return true;
  return isWithin(value, MOST_NODES_AT_ONCE, MOST_DEPTH_AT_ONCE) && !holdsParts(value);
}

/** Whether a value of few parts holds one that `JSON.stringify` does not write. */
function holdsParts(value: object): boolean {
  return Object.values(value).some(
    (one: unknown) =>
      typeof one === 'object' && one !== null && (one instanceof JsonText || isAsyncIterable(one) || holdsParts(one)),
  );
}

function openList(list: readonly unknown[]): Open {
  let at = 0;
  return {
    end: ']',
    isEmpty: true,
    next() {
      if (at === list.length) return undefined;
      at += 1;
      return [undefined, list[at - 1]];
    },
    close() {},
  };
}

function openObject(holder: object): Open {
  const members = holder as Readonly<Record<string, unknown>>;
  const names = Object.keys(members);
  let at = 0;
  return {
    end: '}',
    isEmpty: true,
    next() {
      for (; at < names.length; at += 1) {
        const name = names[at] ?? '';
        // JSON has no such member.
        if (members[name] === undefined) continue;
        at += 1;
        return [name, members[name]];
      }
      return undefined;
    },
    close() {},
  };
}

function openItems(items: AsyncIterable<unknown>): Open {
  const iterator = items[Symbol.asyncIterator]();
  return {
    end: ']',
    isEmpty: true,
    async next() {
      const result = await iterator.next();
      return result.done === true ? undefined : [undefined, result.value];
    },
    close: () => iterator.return?.(),
  };
}
