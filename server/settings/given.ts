export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable's value. An empty variable counts as absent, and what every object inherits is no variable. */
export function given(environment: Environment, name: string): string | undefined {
  const value = Object.hasOwn(environment, name) ? environment[name] : undefined;
  return value === undefined || value === '' ? undefined : value;
}

/** What a variable may be named. */
export const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
