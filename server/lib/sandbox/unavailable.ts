// The built-ins that a program may not use, although the type library declares them: the engine has no data of locales
// and time zones, and one program runs alone.
import type { AnyNode, CallExpression, Program } from 'acorn';
import { full } from 'acorn-walk';
import type { ProgramIssue } from './job.ts';

interface LocaleMethod {
  /** The prototypes that have the method. */
  of: readonly string[];
  /** How many arguments precede the locale. */
  before: number;
  /** What to write instead: a clause. */
  instead: string;
}

const UPPER_AND_LOWER = { of: ['String'], before: 0 } as const;

/** Methods that are correct only without a locale and without options. */
const LOCALE_METHODS: Readonly<Record<string, LocaleMethod>> = {
  toLocaleString: {
    of: ['Date', 'Number', 'BigInt', 'Array', 'TypedArray'],
    before: 0,
    instead:
      'write the format yourself, such as `toFixed(2)` for a number or `toISOString()` for a time in UTC, or pass the text in the input',
  },
  toLocaleDateString: {
    of: ['Date'],
    before: 0,
    instead: 'use `toISOString().slice(0, 10)` for the date in UTC, or pass the text in the input',
  },
  toLocaleTimeString: {
    of: ['Date'],
    before: 0,
    instead: 'use `toISOString().slice(11, 19)` for the time in UTC, or pass the text in the input',
  },
  localeCompare: {
    of: ['String'],
    before: 1,
    instead: 'use `a < b ? -1 : a > b ? 1 : 0`, with texts changed by `toLowerCase()` or `normalize()` if needed',
  },
  toLocaleUpperCase: { ...UPPER_AND_LOWER, instead: 'use `toUpperCase()`' },
  toLocaleLowerCase: { ...UPPER_AND_LOWER, instead: 'use `toLowerCase()`' },
};

/** The refusal of such a method, at save and in a run. */
function localeRefusal(name: string): string {
  return `\`${name}\` with a locale or options is not available: programs have no locales and no time zones but UTC; ${LOCALE_METHODS[name]?.instead ?? ''}.`;
}

/** Globals that are removed, with what to use instead. */
const REMOVED_GLOBALS: Readonly<Record<string, string>> = {
  Intl: '`Intl` is not available: programs have no locales and no time zones but UTC; write the format yourself, such as `toFixed(2)` or `toISOString()`, or pass the text in the input.',
  SharedArrayBuffer: '`SharedArrayBuffer` is not available: a program runs in one thread; use `ArrayBuffer`.',
  Atomics: '`Atomics` is not available: a program runs in one thread; read and write the array itself.',
};

/** JavaScript of the prelude that removes these globals and lets these methods refuse locales and options. */
export const UNAVAILABLE_PRELUDE = `
  for (const name of ${JSON.stringify(Object.keys(REMOVED_GLOBALS))}) delete globalThis[name];
  {
    const prototypes = {
      Date: Date.prototype, Number: Number.prototype, BigInt: BigInt.prototype, Array: Array.prototype,
      String: String.prototype, TypedArray: Object.getPrototypeOf(Int8Array.prototype),
    };
    const methods = ${JSON.stringify(
      Object.entries(LOCALE_METHODS).flatMap(([name, { of, before }]) =>
        of.map((prototype) => ({ name, prototype, before, words: localeRefusal(name) })),
      ),
    )};
    for (const { name, prototype, before, words } of methods) {
      const { [name]: native } = prototypes[prototype];
      const refuse = () => {
        throw new TypeError(words);
      };
      const methodsOfName = before === 0
        ? { [name](locales, options) {
            return locales === undefined && options === undefined ? apply(native, this, []) : refuse();
          } }
        : { [name](that, locales, options) {
            return locales === undefined && options === undefined ? apply(native, this, [that]) : refuse();
          } };
      defineProperty(methodsOfName[name], 'length', { value: native.length, configurable: true });
      defineProperty(prototypes[prototype], name, { value: methodsOfName[name], writable: true, configurable: true });
    }
  }
`;

/** Where a program uses what is not available. What it declares or looks for itself is its own. */
export function unavailableIssues(tree: Program): ProgramIssue[] {
  const own = ownNames(tree);
  const issues: ProgramIssue[] = [];
  full(tree, (node, _state, role) => {
    const detail = role === 'VariablePattern' ? undefined : unavailable(node, own);
    if (detail !== undefined) {
      issues.push({ line: node.loc?.start.line ?? 1, column: (node.loc?.start.column ?? 0) + 1, detail });
    }
  });
  return issues;
}

function unavailable(node: AnyNode, own: ReadonlySet<string>): string | undefined {
  switch (node.type) {
    case 'Identifier':
      return own.has(node.name) ? undefined : REMOVED_GLOBALS[node.name];
    case 'MemberExpression': {
      // `globalThis.Intl.NumberFormat`: asking for the global alone is how a program looks for it.
      const global = node.optional ? undefined : memberName(node.object);
      const isGlobal = node.object.type === 'MemberExpression' && isNamed(node.object.object, 'globalThis');
      return isGlobal && global !== undefined && !own.has(global) ? REMOVED_GLOBALS[global] : undefined;
    }
    case 'VariableDeclarator':
      return node.init && isNamed(node.init, 'globalThis') ? takenFromGlobal(node.id) : undefined;
    case 'CallExpression': {
      const called = calledMethod(node);
      if (called === undefined || own.has(called.name)) return undefined;
      const before = LOCALE_METHODS[called.name]?.before;
      if (before === undefined) return undefined;
      const hasLocale = called.given.slice(before).some((one) => one.type !== 'SpreadElement' && !isUndefined(one));
      return hasLocale ? localeRefusal(called.name) : undefined;
    }
    default:
      return undefined;
  }
}

/** `const { Intl } = globalThis`, without a value for where it is missing. */
function takenFromGlobal(pattern: AnyNode): string | undefined {
  if (pattern.type !== 'ObjectPattern') return undefined;
  const taken = pattern.properties.flatMap((property) =>
    property.type === 'Property' && property.value.type === 'Identifier'
      ? keyName(property.key, property.computed)
      : [],
  );
  return taken.map((name) => REMOVED_GLOBALS[name ?? '']).find((detail) => detail !== undefined);
}

/** The method that is called, also by way of its `call`, `apply` and `bind`. */
function calledMethod({ callee, arguments: given }: CallExpression): { name: string; given: AnyNode[] } | undefined {
  const name = memberName(callee);
  if (name === undefined || callee.type !== 'MemberExpression') return undefined;
  const inner = ['call', 'apply', 'bind'].includes(name) ? memberName(callee.object) : undefined;
  if (inner === undefined) return { name, given };
  const [, list] = given;
  if (name !== 'apply') return { name: inner, given: given.slice(1) };
  return { name: inner, given: list?.type === 'ArrayExpression' ? list.elements.flatMap((one) => one ?? []) : [] };
}

function memberName(node: AnyNode): string | undefined {
  if (node.type === 'ChainExpression') return memberName(node.expression);
  if (node.type !== 'MemberExpression') return undefined;
  return keyName(node.property, node.computed);
}

function keyName(key: AnyNode, isComputed: boolean): string | undefined {
  if (key.type === 'Identifier') return isComputed ? undefined : key.name;
  return key.type === 'Literal' ? String(key.value) : undefined;
}

function isNamed(node: AnyNode, name: string): boolean {
  return node.type === 'Identifier' && node.name === name;
}

function isUndefined(node: AnyNode): boolean {
  return isNamed(node, 'undefined') || (node.type === 'UnaryExpression' && node.operator === 'void');
}

/** Names that the program declares, gives to members of its own objects, or asks for with `typeof`. */
function ownNames(tree: Program): ReadonlySet<string> {
  const names = new Set<string>();
  full(tree, (node, _state, role) => {
    const name = role === 'VariablePattern' && node.type === 'Identifier' ? node.name : ownName(node);
    if (name !== undefined) names.add(name);
  });
  return names;
}

function ownName(node: AnyNode): string | undefined {
  switch (node.type) {
    case 'Property':
    case 'MethodDefinition':
    case 'PropertyDefinition':
      return keyName(node.key, node.computed);
    case 'AssignmentExpression':
      return memberName(node.left);
    case 'UnaryExpression':
      if (node.operator !== 'typeof') return undefined;
      return node.argument.type === 'Identifier' ? node.argument.name : memberName(node.argument);
    default:
      return undefined;
  }
}
