// One pass over a JSON text: is it JSON, does it name a member twice, and what in it cannot be taken.
//
// 1. Each character is looked at once or twice; nothing is done for each level around a place but when an issue is
//    told, and a pointer is built no longer than it may be told.
// 2. Nothing recurses.
import type { Issue } from '../../shared/issues.ts';
import { IssueList } from './bounded-issues.ts';
import { boundedPointer, escapeToken, tokensOf } from './json-pointer.ts';
import { Malformed, readNumber, readText, skipLiteral, skipNested, skipSpace } from './json-tokens.ts';

/** How deep the values of a body may nest, and how many there are: `jsonBounds` makes it once for all bodies of a kind. */
export interface JsonBounds {
  /** Names of members count too. What is built of a value takes many times the characters that it may be written in. */
  mostValues: number;
  /** Levels that a member of the body may nest where no pointer names it. */
  defaultDepth: number;
  body: NamedPlace;
}

interface NamedPlace {
  /** Levels that the value here may nest. */
  depth: number | undefined;
  members: Map<string, NamedPlace>;
}

/**
 * @param depths levels that the value at a JSON Pointer may nest: a scalar nests 0, `[]` 1, `[[]]` 2
 * @param defaultDepth levels that every other member of the body may nest
 * @param mostValues scalars, lists, objects and names of members that the body may hold
 */
export function jsonBounds(
  depths: Readonly<Record<string, number>>,
  defaultDepth: number,
  mostValues: number = Number.POSITIVE_INFINITY,
): JsonBounds {
  const body: NamedPlace = { depth: undefined, members: new Map() };
  for (const [pointer, depth] of Object.entries(depths)) {
    let location = body;
    for (const token of tokensOf(pointer)) {
      const member = location.members.get(token) ?? { depth: undefined, members: new Map() };
      location.members.set(token, member);
      location = member;
    }
    location.depth = depth;
  }
  return { defaultDepth, body, mostValues };
}

export type JsonScan =
  | { ok: true; issues: Issue[] /** Where values stand that nest too deep. */; tooDeep: string[][] }
  | { ok: false; detail: string; isTooMuch: boolean };

class TooMuch extends Error {}

interface Level {
  /** The names seen in an object; undefined in an array. */
  names: Names | undefined;
  /** The member or item being read. */
  token: string | number;
  /** What is named below here, where something is. */
  location: NamedPlace | undefined;
  /** How long the path may become below here, and how much of it names the value that is bounded. */
  most: number;
  named: number;
  /** The member or item that was found to nest too deep last. */
  tooDeep: string | number | undefined;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const LIST = 0x5b;
const LIST_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;

export function scanJson(text: string, bounds: JsonBounds): JsonScan {
  const scanner = new Scanner(text, bounds);
  try {
    scanner.run();
  } catch (error) {
    const isTooMuch = error instanceof TooMuch;
    if (isTooMuch || error instanceof Malformed) return { ok: false, detail: error.message, isTooMuch };
    throw error;
  }
  return { ok: true, issues: scanner.issues.listed(), tooDeep: scanner.tooDeep };
}

class Scanner {
  readonly issues = new IssueList();
  readonly tooDeep: string[][] = [];
  private readonly text: string;
  private readonly bounds: JsonBounds;
  private readonly path: Level[] = [];
  private at = 0;
  private values = 0;

  constructor(text: string, bounds: JsonBounds) {
    this.text = text;
    this.bounds = bounds;
  }

  run(): void {
    this.at = skipSpace(this.text, this.at);
    while (!(this.value() && this.afterValue()));
    if (this.at < this.text.length) throw new Malformed('there is more text after the value', this.text, this.at);
  }

  /** Reads one value, or the opening of one; true when a value is complete. */
  private value(): boolean {
    const { text } = this;
    // A value that nests too deeply is reported as such and left out.
    if (this.path.length <= (this.path.at(-1)?.most ?? 0)) this.values += 1;
    if (this.values > this.bounds.mostValues) {
      throw new TooMuch(`The body contains more than ${this.bounds.mostValues} values; send a smaller body.`);
    }
    const first = text.charCodeAt(this.at);
    if (first === OBJECT || first === LIST) return this.open(first === OBJECT);
    if (first === QUOTE) {
      this.string(this.path.length);
      return true;
    }
    const behindLiteral = skipLiteral(text, this.at);
    if (behindLiteral === undefined) {
      const { end, isFinite } = readNumber(text, this.at);
      this.at = end;
      if (!isFinite)
        this.report(this.path.length, 'A number is too large for a double; send a smaller number, or a string.');
    } else this.at = behindLiteral;
    return true;
  }

  private open(isObject: boolean): boolean {
    const level = this.nextLevel(isObject ? new Names() : undefined);
    const { names } = level;
    this.path.push(level);
    this.checkDepth(level);
    if (this.path.length > level.most) {
      // It is left out of the value, so what is in it does not matter.
      this.at = skipNested(this.text, this.at);
      this.path.pop();
      return true;
    }
    this.at = skipSpace(this.text, this.at + 1);
    if (this.text.charCodeAt(this.at) === (isObject ? OBJECT_END : LIST_END)) {
      this.at += 1;
      this.path.pop();
      return true;
    }
    if (names !== undefined) this.memberName(level, names);
    return false;
  }

  /** Closes what is complete behind a value; false when another member or item follows. */
  private afterValue(): boolean {
    for (;;) {
      this.at = skipSpace(this.text, this.at);
      const level = this.path.at(-1);
      if (level === undefined) return true;
      const next = this.text.charCodeAt(this.at);
      if (next === COMMA) {
        this.at = skipSpace(this.text, this.at + 1);
        if (level.names === undefined) level.token = Number(level.token) + 1;
        else this.memberName(level, level.names);
        return false;
      }
      if (next !== (level.names === undefined ? LIST_END : OBJECT_END)) {
        throw new Malformed('a comma or a closing bracket is missing', this.text, this.at);
      }
      this.at += 1;
      this.path.pop();
    }
  }

  private memberName(level: Level, names: Names): void {
    // A name costs as much as a value.
    this.values += 1;
    // An issue of a name is reported at its holder.
    const name = this.string(this.path.length - 1);
    level.token = name;
    if (!names.add(name)) {
      const shown = JSON.stringify(name.slice(0, 60));
      throw new Malformed(
        `The body has the member ${shown} twice, at ${this.pointer(this.path.length)}; remove one of them.`,
      );
    }
    this.at = skipSpace(this.text, this.at);
    if (this.text.charCodeAt(this.at) !== COLON) throw new Malformed('a colon is missing', this.text, this.at);
    this.at = skipSpace(this.text, this.at + 1);
  }

  private string(length: number): string {
    const { end, value, isWellFormed } = readText(this.text, this.at);
    this.at = end;
    if (!isWellFormed) this.report(length, 'A string contains half of a surrogate pair; write the whole character.');
    return value;
  }

  /** A value that begins here is bounded where it is named, else as the body's member that holds it. */
  private nextLevel(names: Names | undefined): Level {
    const { length } = this.path;
    const holder = this.path.at(-1);
    const { body, defaultDepth } = this.bounds;
    const location = holder === undefined ? body : holder.location?.members.get(String(holder.token));
    let { most, named } = holder ?? { most: Number.POSITIVE_INFINITY, named: 0 };
    if (holder !== undefined && location?.depth !== undefined) {
      most = location.depth + length;
      named = length;
    } else if (length === 1) {
      most = defaultDepth + 1;
      named = 1;
    }
    return { names, token: 0, location, most, named, tooDeep: undefined };
  }

  private checkDepth({ most, named }: Level): void {
    // What lies below is too deep as well.
    if (this.path.length !== most + 1) return;
    const holder = this.path[named - 1];
    if (holder === undefined || holder.tooDeep === holder.token) return;
    holder.tooDeep = holder.token;
    const tokens = this.path.slice(0, named).map(({ token }) => String(token));
    this.tooDeep.push(tokens);
    const words = tokens.join('.').slice(0, 60);
    this.report(named, `\`${words}\` nests more than ${most - named} levels; send a flatter value.`);
  }

  /** The pointer that the first tokens of the path make, as far as it may be returned. */
  private pointer(length: number): string {
    let pointer = '';
    for (let index = 0; index < length && boundedPointer(pointer) === pointer; index += 1) {
      pointer += `/${escapeToken(String(this.path[index]?.token ?? ''))}`;
    }
    return boundedPointer(pointer);
  }

  private report(length: number, detail: string): void {
    this.issues.add(() => ({ pointer: this.pointer(length), detail }));
  }
}

/** The names of an object. Most objects have few, and a list of few is read faster than a set. */
class Names {
  private few: string[] = [];
  private many: Set<string> | undefined;

  /** False when the name was there. */
  add(name: string): boolean {
    if (this.many === undefined) {
      if (this.few.includes(name)) return false;
      this.few.push(name);
      if (this.few.length > 8) this.many = new Set(this.few);
      return true;
    }
    if (this.many.has(name)) return false;
    this.many.add(name);
    return true;
  }
}
