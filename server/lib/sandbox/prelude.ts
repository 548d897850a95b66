// What stands in the sandbox before a program does. It is evaluated as a script there and gives back the functions
// that the host calls.
//
// 1. Every built-in that these functions use is taken before the program runs: a program that replaces
//    JSON.stringify or Promise.prototype.then changes nothing for them. No method of a prototype is called.
// 2. A value leaves as JSON text that is written here; what JSON cannot hold is refused, never changed in silence.
// 3. Time and chance are worked out when the program asks for them: most never do.
import { NOT_JSON_PRELUDE } from './not-json-prelude.ts';
import { UNAVAILABLE_PRELUDE } from './unavailable.ts';
import { VIEW_PRELUDE } from './view-prelude.ts';

export const PRELUDE = String.raw`
(() => {
  'use strict';
  const { parse, stringify } = JSON;
  const { isArray } = Array;
  const { keys, getOwnPropertyNames, getOwnPropertySymbols, getOwnPropertyDescriptor, defineProperty } = Object;
  const { apply, construct } = Reflect;
  const NativeDate = Date;
  const { slice } = String.prototype;
  const asText = String;
  const MOST_LEVELS = 512;
  const CONSOLE_CHARACTERS = 65536;

  const { parse: parseTime } = NativeDate;
  const { imul } = Math;
  // What the program reads as the time: milliseconds, or a text. Undefined once it has read it.
  let givenTime;
  let now = 0;
  // What chance begins with: 32 bits, or a text. Undefined once the program has asked for chance.
  let givenChance;
  let random;
  let lines = '';
  let characters = 0;
  let isTruncated = false;
  let room = 0;
  let most = 0;
  let state = 'pending';
  let settled;

${UNAVAILABLE_PRELUDE}${NOT_JSON_PRELUDE}
  const time = () => {
    if (givenTime !== undefined) now = typeof givenTime === 'number' ? givenTime : parseTime(givenTime);
    givenTime = undefined;
    return now;
  };

  // The generator sfc32: three words of state and a counter.
  const sfc32 = () => {
    const t = (random[0] + random[1] + random[3]) | 0;
    random[3] = (random[3] + 1) | 0;
    random[0] = random[1] ^ (random[1] >>> 9);
    random[1] = (random[2] + (random[2] << 3)) | 0;
    random[2] = ((random[2] << 21) | (random[2] >>> 11)) + t | 0;
    return (t >>> 0) / 4294967296;
  };
  const seedRandom = (bits) => {
    random = [bits | 0, imul(bits, 0x9e3779b1) | 0, (bits ^ 0x5bd1e995) | 0, 1];
    for (let i = 0; i < 12; i += 1) sfc32();
  };
  Math.random = () => {
    if (givenChance !== undefined) seedRandom(typeof givenChance === 'number' ? givenChance : hashOf(givenChance));
    givenChance = undefined;
    return sfc32();
  };

  function SandboxDate(...parts) {
    const made = construct(NativeDate, parts.length === 0 ? [time()] : parts, new.target ?? NativeDate);
    return new.target === undefined ? asText(made) : made;
  }
  for (const name of getOwnPropertyNames(NativeDate)) {
    if (name !== 'length' && name !== 'name') defineProperty(SandboxDate, name, getOwnPropertyDescriptor(NativeDate, name));
  }
  SandboxDate.now = time;
  defineProperty(SandboxDate, 'name', { value: 'Date', configurable: true });
  defineProperty(NativeDate.prototype, 'constructor', { value: SandboxDate, writable: true, configurable: true });
  globalThis.Date = SandboxDate;

  function shown(value) {
    try {
      if (typeof value === 'string') return value;
      const isPlain = typeof value !== 'object' || value === null;
      if (isPlain) return asText(value);
      return isError(value) ? errorWords(value) : (stringify(value, readable) ?? asText(value));
    } catch {
      return '[not printable]';
    }
  }
  function log(...values) {
    if (isTruncated) return;
    let line = '';
    for (let i = 0; i < values.length; i += 1) line += (i === 0 ? '' : ' ') + shown(values[i]);
    if (characters + line.length > CONSOLE_CHARACTERS) {
      line = apply(slice, line, [0, CONSOLE_CHARACTERS - characters]);
      isTruncated = true;
    }
    characters += line.length;
    lines += (lines === '' ? '' : ',') + stringify(line);
  }
  globalThis.console = { log, info: log, warn: log, error: log, debug: log };

  // Where the writer stands: at each level the names of the object, null for a list, and which member it is at.
  const membersAt = { __proto__: null };
  const memberAt = new Int32Array(MOST_LEVELS + 2);
  const escaped = (name) => {
    let text = '';
    for (let i = 0; i < name.length; i += 1) text += name[i] === '~' ? '~0' : name[i] === '/' ? '~1' : name[i];
    return text;
  };
  function place(levels) {
    let pointer = '';
    for (let level = 0; level < levels; level += 1) {
      const names = membersAt[level];
      // What toJSON gave stands where its object stood.
      if (names === undefined) continue;
      pointer += '/' + (names === null ? asText(memberAt[level]) : escaped(names[memberAt[level]]));
    }
    return pointer === '' ? '' : ' at ' + (pointer.length > 200 ? apply(slice, pointer, [0, 200]) + '...' : pointer);
  }

  function Refusal(words) {
    this.words = words;
  }
  const refuse = (words) => {
    throw new Refusal(words);
  };
  const refuseAt = (levels, what, more) => refuse('contains ' + what + place(levels) + ', which JSON cannot represent' + more);
  const counted = (text) => {
    room -= text.length;
    if (room < 0) refuse('is larger than the ' + most + ' bytes that it may have');
    return text;
  };

  function write(value, key, levels) {
    if (levels > MOST_LEVELS) refuse('nests more than ' + MOST_LEVELS + ' levels, or contains itself');
    switch (typeof value) {
      case 'string':
        return counted(stringify(value));
      case 'number':
        if (value !== value) refuseAt(levels, 'NaN', '');
        if (value === Infinity || value === -Infinity) refuseAt(levels, 'an infinity', '');
        return counted(stringify(value));
      case 'boolean':
        return counted(value ? 'true' : 'false');
      case 'undefined':
        return levels === 0 ? refuse('is undefined; return a value') : refuseAt(levels, 'undefined', '; use null');
      case 'bigint':
        return refuseAt(levels, 'a BigInt', '; use a number or a string');
      case 'function':
        return refuseAt(levels, 'a function', '');
      case 'symbol':
        return refuseAt(levels, 'a symbol', '');
    }
    if (value === null) return counted('null');
    const { toJSON } = value;
    if (typeof toJSON === 'function') {
      const given = apply(toJSON, value, [key]);
      if (given === null && toJSON === dateToJson) refuseAt(levels, 'an invalid Date', '; use null');
      membersAt[levels] = undefined;
      return write(given, key, typeof given === 'object' && given !== null ? levels + 1 : levels);
    }
    if (isArray(value)) {
      let text = counted('[');
      const { length } = value;
      membersAt[levels] = null;
      for (let i = 0; i < length; i += 1) {
        memberAt[levels] = i;
        text += (i === 0 ? '' : counted(',')) + write(value[i], asText(i), levels + 1);
      }
      return text + counted(']');
    }
    const wrapped = wrappedValue(value);
    if (wrapped !== undefined) return write(wrapped, key, levels);
    const refused = notJson(value);
    if (refused !== undefined) refuseAt(levels, refused[0], refused[1]);
    let text = counted('{');
    const names = keys(value);
    const hidden = names.length === 0 ? hiddenContent(value) : undefined;
    if (hidden !== undefined) refuseAt(levels, hidden, '; return its values as members of another object');
    if (hasSymbolMember(value)) refuseAt(levels, 'a member whose name is a symbol', '; use a string');
    membersAt[levels] = names;
    for (let i = 0, isFirst = true; i < names.length; i += 1) {
      const name = names[i];
      const member = value[name];
      if (member === undefined) continue;
      memberAt[levels] = i;
      text += counted((isFirst ? '' : ',') + stringify(name) + ':') + write(member, name, levels + 1);
      isFirst = false;
    }
    return text + counted('}');
  }

  // Only texts are given to stringify: an object would meet a toJSON that the program put on every object.
  const errorText = (name, message, stack) =>
    '{"name":' + stringify(name) + ',"message":' + stringify(message) + ',"stack":' + stringify(stack) + '}';

  const valueText = (value) => errorText('a value', apply(slice, shown(value), [0, 500]), '');

  function wordsOf(error) {
    try {
      if (typeof error === 'object' && error !== null) {
        const { name, message, stack } = error;
        if (typeof name !== 'string' && typeof message !== 'string') return valueText(error);
        return errorText(asText(name), apply(slice, asText(message), [0, 500]), apply(slice, asText(stack), [0, 2000]));
      }
      return valueText(error);
    } catch {
      return errorText('an error', 'it cannot be printed', '');
    }
  }

  const settle = (next, value) => {
    state = next;
    settled = value;
  };
  // A language construct, not a method: what the program put on promises is met only where its own value has it.
  const settleLater = async (made) => {
    try {
      settle('done', await made);
    } catch (error) {
      settle('thrown', error);
    }
  };

  /** The value as '+' and JSON text, or '-' and what is wrong with it. */
  function written(value, bytes) {
    room = most = bytes;
    try {
      return '+' + write(value, '', 0);
    } catch (error) {
      return error instanceof Refusal ? '-' + error.words : '!' + wordsOf(error);
    }
  }

  const give = (at, chance) => {
    givenTime = at;
    givenChance = chance;
  };

  /** The answer of a function of the program, now or later. */
  function callProgram(program, given) {
    try {
      const made = apply(program, undefined, given);
      if (typeof made === 'object' && made !== null && typeof made.then === 'function') void settleLater(made);
      else settle('done', made);
    } catch (error) {
      settle('thrown', error);
    }
  }
${VIEW_PRELUDE}
  return {
    ...views,
    give,
    /** Empty, or that the program has read neither the time nor chance before it was called. */
    call(program, input, at, chance) {
      const isSteady = givenTime !== undefined && givenChance !== undefined;
      if (isSteady) give(at, chance);
      callProgram(program, [parse(input)]);
      return isSteady ? 'steady' : '';
    },
    outcome(bytes) {
      const text =
        state === 'pending' ? '?' : state === 'thrown' ? '!' + wordsOf(settled) : written(settled, bytes);
      return (lines === '' ? ' ' : '#') + text;
    },
    console() {
      return '{"lines":[' + lines + '],"isTruncated":' + isTruncated + '}';
    },
    exportsOf: (program) => {
      const names = keys(program);
      let text = '';
      for (let i = 0; i < names.length; i += 1) {
        const value = program[names[i]];
        const found = typeof value === 'function' ? 'function' : written(value, 1048576);
        text += (i === 0 ? '' : ',') + stringify(names[i]) + ':' + stringify(found);
      }
      return '{' + text + '}';
    },
  };
})()
`;
