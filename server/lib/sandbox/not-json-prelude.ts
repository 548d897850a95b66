/**
 * The part of the prelude that knows which objects lose their content as JSON. It stands inside the prelude and uses
 * its names. An object is known by its prototypes: a class that extends `Map` makes maps.
 */
export const NOT_JSON_PRELUDE = String.raw`
  const { getPrototypeOf: prototypeOf, prototype: plainPrototype } = Object;
  const { prototype: errorPrototype } = Error;
  const { prototype: mapPrototype } = Map;
  const { prototype: setPrototype } = Set;
  const { toJSON: dateToJson } = NativeDate.prototype;
  const { forEach: forEachOfMap } = mapPrototype;
  const { forEach: forEachOfSet } = setPrototype;
  const { defineProperty: defineMember } = Reflect;
  const asMember = (value) => ({ value, writable: true, enumerable: true, configurable: true, __proto__: null });

  // Without a look at any property of the program: what it did to these prototypes does not matter.
  const NOT_JSON = [
    [mapPrototype, ['a Map', '; use Object.fromEntries(map) or [...map]']],
    [setPrototype, ['a Set', '; use [...set]']],
    [errorPrototype, ['an Error', '; use its message']],
    [Promise.prototype, ['a promise', '; await it first, or a list of them with Promise.all']],
    [RegExp.prototype, ['a regular expression', '; use its source']],
    [WeakMap.prototype, ['a WeakMap', '']],
    [WeakSet.prototype, ['a WeakSet', '']],
    [WeakRef.prototype, ['a WeakRef', '']],
    [ArrayBuffer.prototype, ['an ArrayBuffer', '; use [...new Uint8Array(buffer)]']],
    [DataView.prototype, ['a DataView', '; use [...new Uint8Array(view.buffer)]']],
    [prototypeOf(Int8Array.prototype), ['a typed array', '; use [...array]']],
    [Iterator.prototype, ['an iterator', '; use [...iterator]']],
    [prototypeOf(prototypeOf(prototypeOf((async function* () {})()))), ['an asynchronous iterator', '; collect what it gives in a list']],
  ];
  const WRAPPERS = [Number, String, Boolean, BigInt, Symbol].map(({ prototype }) => [prototype, prototype.valueOf]);

  const entryOf = (table, value) => {
    let prototype = prototypeOf(value);
    for (; prototype !== null && prototype !== plainPrototype; prototype = prototypeOf(prototype)) {
      for (let i = 0; i < table.length; i += 1) if (table[i][0] === prototype) return table[i][1];
    }
    return undefined;
  };
  /** What the object is, and what to use instead; undefined for one whose members are its content. */
  const notJson = (value) => entryOf(NOT_JSON, value);
  /** The value in a Number, String, Boolean, BigInt or Symbol object. */
  const wrappedValue = (value) => {
    const valueOf = entryOf(WRAPPERS, value);
    return valueOf === undefined ? undefined : apply(valueOf, value, []);
  };

  /** What JSON leaves out of an object without enumerable members; undefined for an empty plain object. */
  const hiddenContent = (value) => {
    if (getOwnPropertyNames(value).length > 0) return 'an object whose members are not enumerable';
    const prototype = prototypeOf(value);
    return prototype === null || prototype === plainPrototype ? undefined : 'an object of a class without members of its own';
  };
  const hasSymbolMember = (value) => {
    const symbols = getOwnPropertySymbols(value);
    for (let i = 0; i < symbols.length; i += 1) if (getOwnPropertyDescriptor(value, symbols[i])?.enumerable) return true;
    return false;
  };

  const inherits = (prototype, value) => {
    let each = typeof value === 'object' && value !== null ? prototypeOf(value) : null;
    while (each !== null && each !== prototype) each = prototypeOf(each);
    return each !== null;
  };
  const isError = (value) => inherits(errorPrototype, value);
  const errorWords = ({ name, message }) => asText(name) + (asText(message) === '' ? '' : ': ' + asText(message));

  /** For what is printed: maps and sets as lists, errors as words. */
  const readable = (_name, value) => {
    if (isError(value)) return errorWords(value);
    const isMap = inherits(mapPrototype, value);
    if (!isMap && !inherits(setPrototype, value)) return value;
    const items = [];
    const add = (item) => defineMember(items, items.length, asMember(item));
    if (isMap) apply(forEachOfMap, value, [(member, key) => add([key, member])]);
    else apply(forEachOfSet, value, [add]);
    return items;
  };
`;
