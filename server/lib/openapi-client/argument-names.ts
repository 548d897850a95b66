// Names the arguments of an operation: its parameters and body are one object, but a document may use one name in several
// locations.
//
// 1. Each argument has one location. `body` is the body. If several parameters share a name, the first of path, query,
//    headers, cookies and form fields keeps it.
// 2. The others are named by location and name, such as `query_id`, with a number appended if that name is in use.
import type { Body, Parameter } from './operation.ts';

const LOCATIONS = ['path', 'query', 'header', 'cookie', 'form'] as const;

interface NamedParameter {
  location: (typeof LOCATIONS)[number];
  name: string;
}

/** The parameter names in the path template, whether parameters declare them or not. */
export function pathParameterNames(path: string): string[] {
  return [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
}

/** Assigns an argument name to each parameter and form field. */
export function nameArguments(
  path: string,
  parameters: readonly Parameter[],
  body: Body | undefined,
): { parameters: Parameter[]; body: Body | undefined } {
  const ofParameters = parameters.map(({ in: location, name }): NamedParameter => ({ location, name }));
  const ofFields = (body?.fields ?? []).map(({ name }): NamedParameter => ({ location: 'form', name }));
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
      // In 2.0, the body also has its own name, unless a parameter uses it.
      names: body.names.filter((name) => name === 'body' || !taken.has(name)),
      fields: body.fields?.map((field, index) => named(field, ofFields[index])),
    },
  };
}

function argumentNames(all: readonly NamedParameter[], path: string, reserved: readonly string[]) {
  const declared = new Set(all.flatMap(({ location, name }) => (location === 'path' ? [name] : [])));
  const taken = new Set([...reserved, ...pathParameterNames(path).filter((name) => !declared.has(name))]);
  const names = new Map<NamedParameter, string>();
  const inOrder = all.toSorted((a, b) => LOCATIONS.indexOf(a.location) - LOCATIONS.indexOf(b.location));
  for (const one of inOrder) {
    if (taken.has(one.name)) continue;
    taken.add(one.name);
    names.set(one, one.name);
  }
  for (const one of inOrder) {
    if (names.has(one)) continue;
    const base = `${one.location}_${one.name}`;
    let argument = base;
    for (let number = 2; taken.has(argument); number += 1) argument = `${base}_${number}`;
    taken.add(argument);
    names.set(one, argument);
  }
  return { names, taken };
}
