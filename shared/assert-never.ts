/** Breaks the build if a case of a closed union is not handled, and throws if an unknown case occurs at run time. */
export function assertNever(value: never): never {
  throw new Error(`Not handled: ${JSON.stringify(value)}.`);
}
