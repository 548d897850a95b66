// Under which names an operation's parameters and body are given: one object holds them all, and a document may use one
// name in several places.
//
// 1. Each argument goes to one place. `body` is the body. Of parameters of one name, that of the path has it; then those
//    of the query, the headers and the cookies, then a form field.
// 2. Any other is given by its place and its name, such as `query_id`, with a number behind where that is taken.
import type { Body, Parameter } from './operation.ts';

const PLACES = ['path', 'query', 'header', 'cookie', 'form'] as const;

interface NamedParameter {
  place: (typeof PLACES)[number];
  name: string;
}

/** The names that stand in the path, whether parameters declare them or not. */
export function pathParameterNames(path: string): string[] {
  return [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
}

/** What was read of an operation, with each argument named. */
export function nameArguments(
  path: string,
  parameters: readonly Parameter[],
  body: Body | undefined,
): { parameters: Parameter[]; body: Body | undefined } {
  const ofParameters = parameters.map(({ in: place, name }): NamedParameter => ({ place, name }));
  const ofFields = (body?.fields ?? []).map(({ name }): NamedParameter => ({ place: 'form', name }));
  const isWhole = body !== undefined && body.fields === undefined;
  const { names, taken } = argumentNames([...ofParameters, ...ofFields], path, isWhole ? ['body'] : []);
  const named = <T extends { name: string }>(one: T, by: NamedParameter | undefined): T => ({
    ...one,
    argument: (by === undefined ? undefined : names.get(by)) ?? one.name,
  });
  return {
    parameters: parameters.map((parameter, index) => named(parameter, ofParameters[index])),
    body: body && {
      ...body,
      // 2.0's body has a name of its own beside `body`; a parameter of that name has it.
      names: body.names.filter((name) => name === 'body' || !taken.has(name)),
      fields: body.fields?.map((field, index) => named(field, ofFields[index])),
    },
  };
}

function argumentNames(all: readonly NamedParameter[], path: string, reserved: readonly string[]) {
  const declared = new Set(all.flatMap(({ place, name }) => (place === 'path' ? [name] : [])));
  const taken = new Set([...reserved, ...pathParameterNames(path).filter((name) => !declared.has(name))]);
  const names = new Map<NamedParameter, string>();
  const inOrder = all.toSorted((a, b) => PLACES.indexOf(a.place) - PLACES.indexOf(b.place));
  for (const one of inOrder) {
    if (taken.has(one.name)) continue;
    taken.add(one.name);
    names.set(one, one.name);
  }
  for (const one of inOrder) {
    if (names.has(one)) continue;
    const base = `${one.place}_${one.name}`;
    let argument = base;
    for (let number = 2; taken.has(argument); number += 1) argument = `${base}_${number}`;
    taken.add(argument);
    names.set(one, argument);
  }
  return { names, taken };
}
