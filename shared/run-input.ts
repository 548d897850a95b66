import type { Json } from './json.ts';

/** The input of a run: `{}` if none was given. Null is a value like any other. */
export function runInput(given: Json | undefined): Json {
  return given === undefined ? {} : given;
}
