/** Breaks the build where a closed union is not handled whole, and throws should one slip through at run time. */
export function assertNever(value: never): never {
  throw new Error(`Not handled: ${JSON.stringify(value)}.`);
}
