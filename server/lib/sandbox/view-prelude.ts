// The part of the prelude that folds events into views. It stands inside the prelude and uses its names.
//
// 1. A view does not depend on where batches begin: nothing that an event changes is there for the next one but the
//    state. So built-ins and the global object are frozen before the program is evaluated, its own constants after it.
// 2. A state leaves only where it would come back as the same: a plain JSON tree. No code of the program is called to
//    find that out.
export const VIEW_PRELUDE = String.raw`
  const { freeze, getPrototypeOf, isExtensible, prototype: objectPrototype } = Object;
  const { ownKeys } = Reflect;
  const { charCodeAt } = String.prototype;
  const { prototype: arrayPrototype } = Array;
  const { prototype: regExpPrototype } = RegExp;
  const { get: isGlobal } = getOwnPropertyDescriptor(regExpPrototype, 'global');
  const { get: isSticky } = getOwnPropertyDescriptor(regExpPrototype, 'sticky');
  const { prototype: functionPrototype } = Function;
  const [fileOf, lineOf, columnOf] = ['fileName', 'lineNumber', 'columnNumber'].map(
    (name) => getOwnPropertyDescriptor(functionPrototype, name).get,
  );
  const { toString: textOf } = functionPrototype;
  const NativeSet = Set;
  const { has: setHas, add: setAdd } = Set.prototype;
  const has = (set, value) => apply(setHas, set, [value]);
  const add = (set, value) => void apply(setAdd, set, [value]);
  const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';

  // FNV-1a over the text's code units.
  function hashOf(text) {
    let hash = 0x811c9dc5;
    for (let i = 0; i < text.length; i += 1) hash = imul(hash ^ apply(charCodeAt, text, [i]), 0x01000193);
    return hash;
  }

  /** Lets objects have a member of their own where a frozen prototype has one: counts.constructor = 1 goes on. */
  function letOverride(prototype) {
    for (const name of ownKeys(prototype)) {
      const { value, configurable, enumerable, get } = getOwnPropertyDescriptor(prototype, name);
      if (!configurable || get !== undefined) continue;
      defineProperty(prototype, name, {
        enumerable,
        get: () => value,
        set(own) {
          if (this === prototype) throw new TypeError('A built-in cannot be changed.');
          defineProperty(this, name, { value: own, writable: true, enumerable: true, configurable: true });
        },
      });
    }
  }

  /** What programs reach without naming it. */
  const hiddenBuiltIns = () => [
    function* () {},
    async () => {},
    async function* () {},
    [][Symbol.iterator](),
    ''[Symbol.iterator](),
    new Map().entries(),
    new Set().entries(),
    ''.matchAll(/a/g),
    [].values().map((one) => one),
    Iterator.from({ next: () => ({ done: true }) }),
  ];

  const { isPrototypeOf } = objectPrototype;

  /** A generator goes on only while it can be seen to be one. */
  function showGenerators() {
    for (const { prototype } of [function* () {}, async function* () {}]) {
      const generators = getPrototypeOf(prototype);
      for (const name of ['next', 'return', 'throw']) {
        const { value: native } = getOwnPropertyDescriptor(generators, name);
        const shown = function (...given) {
          if (!apply(isPrototypeOf, generators, [this])) throw new TypeError('This is no generator.');
          return apply(native, this, given);
        };
        defineProperty(shown, 'name', { value: name });
        defineProperty(generators, name, { value: shown });
      }
    }
  }

  // What was there before the program, all of it frozen.
  const builtIns = new NativeSet();

  function harden() {
    // A proxy can keep what nobody sees, and so can what looks like plain data and is none.
    delete globalThis.Proxy;
    delete Object.setPrototypeOf;
    delete Reflect.setPrototypeOf;
    delete Reflect.construct;
    defineProperty(objectPrototype, '__proto__', { set: undefined });
    // It changes also a frozen expression.
    delete regExpPrototype.compile;
    showGenerators();
    const errors = [Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError, AggregateError, InternalError];
    for (const { prototype } of [Object, ...errors]) letOverride(prototype);
    const reach = (value) => {
      if (!isObject(value) || builtIns.has(value)) return;
      builtIns.add(value);
      for (const name of ownKeys(value)) {
        const { value: member, get, set } = getOwnPropertyDescriptor(value, name);
        reach(member);
        reach(get);
        reach(set);
      }
      reach(getPrototypeOf(value));
    };
    reach(globalThis);
    for (const value of hiddenBuiltIns()) reach(getPrototypeOf(value));
    for (const value of builtIns) freeze(value);
  }

  const known = new NativeSet();
  for (const made of [Map, Set, WeakMap, WeakSet, WeakRef, Date, Promise, ArrayBuffer, DataView, Error]) add(known, made);

  function whatItIs(value) {
    const { constructor } = value;
    if (constructor === RegExp) return 'a regular expression with the flag g or y, which keeps a position';
    return has(known, constructor) ? 'a ' + constructor.name : 'an object that is not plain data';
  }

  /** What is no plain data, in words, and where functions stand; the value is frozen with all it holds. */
  function settleConstant(value, seen, found) {
    if (!isObject(value) || has(seen, value) || has(builtIns, value)) return;
    add(seen, value);
    if (typeof value === 'function') settleFunction(value, seen, found);
    else if (isPlain(value)) settleMembers(value, seen, found);
    else found.what ??= whatItIs(value);
  }

  function settleFunction(value, seen, found) {
    if (apply(fileOf, value, []) !== 'program.js') {
      found.what ??= 'a function that is not written in the program';
      return;
    }
    found.functions += (found.functions === '' ? '[' : ',[') + apply(lineOf, value, []) + ',' + apply(columnOf, value, []) + ']';
    const parent = getPrototypeOf(value);
    settleConstant(parent, seen, found);
    const own = getOwnPropertyDescriptor(value, 'prototype');
    const prototype = own?.value;
    if (apply(slice, apply(textOf, value, []), [0, 5]) === 'class') {
      // No program can give a class another one.
      add(seen, prototype);
      settleConstant(getPrototypeOf(prototype), seen, found);
      settleMembers(prototype, seen, found);
    } else if (parent !== functionPrototype && isObject(prototype)) {
      // A generator does without.
      if (own.writable) value.prototype = null;
      else found.what ??= 'a generator function that was frozen';
    }
    settleMembers(value, seen, found);
  }

  function settleMembers(value, seen, found) {
    const names = ownKeys(value);
    for (let i = 0; i < names.length; i += 1) {
      const { value: member, get, set } = getOwnPropertyDescriptor(value, names[i]);
      settleConstant(member, seen, found);
      settleConstant(get, seen, found);
      settleConstant(set, seen, found);
    }
    freeze(value);
  }

  function isPlain(value) {
    const prototype = getPrototypeOf(value);
    if (prototype === objectPrototype || prototype === null) return true;
    if (prototype === arrayPrototype) return isArray(value);
    if (prototype !== regExpPrototype) return false;
    try {
      return !apply(isGlobal, value, []) && !apply(isSticky, value, []);
    } catch {
      return false;
    }
  }

  let seenParts;
  const refusePart = (levels, words) => refuse('contains ' + words[0] + place(levels) + words[1]);
  const { prototype: promisePrototype } = Promise;
  const notBack = ', which would not be restored unchanged; ';

  /** As write, for a value that must come back from its text as the very same. */
  function writeState(value, levels) {
    if (typeof value === 'number' && value === 0 && 1 / value < 0) return counted('-0');
    if (typeof value !== 'object' || value === null) return write(value, '', levels);
    if (levels > MOST_LEVELS) refuse('nests more than ' + MOST_LEVELS + ' levels, or contains itself');
    if (has(seenParts, value)) {
      refusePart(levels, ['an object that occurs twice', '; use a separate copy in each place']);
    }
    add(seenParts, value);
    const prototype = getPrototypeOf(value);
    const isList = isArray(value);
    if (prototype !== (isList ? arrayPrototype : objectPrototype)) {
      if (prototype === promisePrototype) refuse('is a promise; a view is kept without waiting');
      const what = prototype === null ? 'an object without a prototype' : 'an object of a class';
      refusePart(levels, [what, notBack + 'make it a plain object, such as { ...it }']);
    }
    if (!isExtensible(value)) refusePart(levels, ['a frozen part', '; give it a copy, such as { ...it }']);
    const names = keys(value);
    if (ownKeys(value).length !== names.length + (isList ? 1 : 0) || (isList && names.length !== value.length)) {
      refusePart(levels, [isList ? 'a list with holes or names' : 'a hidden member', notBack + 'use plain members']);
    }
    membersAt[levels] = isList ? null : names;
    let text = counted(isList ? '[' : '{');
    for (let i = 0; i < names.length; i += 1) {
      memberAt[levels] = i;
      const { value: member, get, set, writable, configurable } = getOwnPropertyDescriptor(value, names[i]);
      if (get !== undefined || set !== undefined || !writable || !configurable) {
        refusePart(levels + 1, ['a member with rules of its own', notBack + 'assign it as a plain value']);
      }
      if (i > 0) text += counted(',');
      if (!isList) text += counted(stringify(names[i]) + ':');
      text += writeState(member, levels + 1);
    }
    return text + counted(isList ? ']' : '}');
  }

  let parts = 0;

  /**
   * Whether the object is a plain tree in which nothing needs a second look, so that the engine's own writer gives the
   * text that writeState would. Methods are those of frozen built-ins.
   */
  function isPlainTree(object, levels) {
    if (levels > MOST_LEVELS) return false;
    seenParts.add(object);
    parts += 1;
    if (seenParts.size !== parts) return false;
    const isList = isArray(object);
    if (getPrototypeOf(object) !== (isList ? arrayPrototype : objectPrototype) || !isExtensible(object)) return false;
    const names = ownKeys(object);
    // The last one of a list is its length.
    const count = isList ? names.length - 1 : names.length;
    if (isList && count !== object.length) return false;
    for (let i = 0; i < count; i += 1) {
      const member = getOwnPropertyDescriptor(object, names[i]);
      if (!member.writable || !member.configurable || !member.enumerable || typeof names[i] !== 'string') return false;
      const { value } = member;
      switch (typeof value) {
        case 'object':
          if (value !== null && !isPlainTree(value, levels + 1)) return false;
          break;
        case 'number':
          if (value - value !== 0 || (value === 0 && 1 / value < 0)) return false;
          break;
        case 'string':
        case 'boolean':
          break;
        default:
          return false;
      }
    }
    return true;
  }

  function stateText(value) {
    if (typeof value !== 'object' || value === null) return writeState(value, 0);
    parts = 0;
    const isPlain = isPlainTree(value, 0);
    seenParts = new NativeSet();
    return isPlain ? counted(stringify(value)) : writeState(value, 0);
  }

  let held;
  let evolve;
  let declared;
  let before;
  const stateOf = (program, text) => {
    if (text !== '') return parse(text);
    const first = written(program.initial, 1048576);
    if (first[0] !== '+') throw new TypeError('The export "initial" cannot be read.');
    return parse(apply(slice, first, [1]));
  };

  const views = {
    harden,
    settleConstants(constants) {
      const names = keys(constants);
      let text = '';
      for (let i = 0; i < names.length; i += 1) {
        const found = { what: undefined, functions: '' };
        settleConstant(constants[names[i]], new NativeSet(), found);
        text += (i === 0 ? '' : ',') + stringify(names[i]) + ':{"what":' + stringify(found.what ?? '') +
          ',"functions":[' + found.functions + ']}';
      }
      return '{' + text + '}';
    },
    startFold(program, text) {
      ({ evolve, cuebook$declared: declared } = program);
      before = declared();
      held = stateOf(program, text);
    },
    /** Empty, or which of the events could not be folded, from 0, and why. */
    foldEvents(text) {
      let i = 0;
      try {
        const events = parse(text);
        for (; i < events.length; i += 1) {
          const event = events[i];
          give(event.at, event.id);
          held = apply(evolve, undefined, [held, event]);
          const after = declared();
          for (let j = 0; j < before.length; j += 1) {
            if (after[j] !== before[j]) throw new TypeError('A function or class at the top level was reassigned.');
          }
        }
        return '';
      } catch (error) {
        return i + ' ' + wordsOf(error);
      }
    },
    heldState(bytes) {
      room = most = bytes;
      seenParts = new NativeSet();
      try {
        if (held === undefined) refuse('is undefined; return the state');
        return '+' + stateText(held);
      } catch (error) {
        return error instanceof Refusal ? '-' + error.words : '!' + wordsOf(error);
      } finally {
        seenParts = undefined;
      }
    },
    answer(program, state, input, at, chance) {
      give(at, chance);
      callProgram(program.answer, [stateOf(program, state), parse(input)]);
    },
  };
`;
