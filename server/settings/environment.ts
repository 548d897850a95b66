import { SettingsError } from './settings-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable's value. An empty variable counts as absent, and what every object inherits is no variable. */
export function environmentVariable(environment: Environment, name: string): string | undefined {
  const value = Object.hasOwn(environment, name) ? environment[name] : undefined;
  return value === undefined || value === '' ? undefined : value;
}

/** What a variable may be named. */
export const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * A text of the configuration file with the variables that it names, `${NAME}`, put in. What they hold is not
 * expanded again. `setting` is what the sentences call the text.
 * @throws SettingsError for a variable that is not set, and for `${` without a name and `}`
 */
export function expand(text: string, environment: Environment, setting: string): string {
  return text.replaceAll(/\$\{(?:([A-Za-z_][A-Za-z0-9_]*)\})?/g, (_found, name: string | undefined) => {
    if (name === undefined) {
      throw new SettingsError(`${setting} contains \${ without the name of a variable and }; write \${NAME}.`);
    }
    const value = environmentVariable(environment, name);
    if (value !== undefined) return value;
    throw new SettingsError(`${setting} names the variable ${name}, which is not set; ${WHERE_TO_SET}.`);
  });
}

export const WHERE_TO_SET = 'set it in the environment or in the file env of the data directory';
