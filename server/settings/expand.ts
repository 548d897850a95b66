import { type Environment, given } from './given.ts';
import { SettingsError } from './settings-error.ts';

/**
 * A text of the configuration file with the variables that it names, `${NAME}`, put in. What they hold is not
 * expanded again. `setting` is what the sentences call the text.
 * @throws SettingsError for a variable that is not set, and for `${` without a name and `}`
 */
export function expand(text: string, environment: Environment, setting: string): string {
  return text.replaceAll(/\$\{(?:([A-Za-z_][A-Za-z0-9_]*)\})?/g, (_found, name: string | undefined) => {
    if (name === undefined) {
      throw new SettingsError(`${setting} holds \${ without the name of a variable and }; it takes \${NAME}.`);
    }
    const value = given(environment, name);
    if (value !== undefined) return value;
    throw new SettingsError(`${setting} names the variable ${name}, which is not set; ${WHERE_TO_SET}.`);
  });
}

export const WHERE_TO_SET = 'set it in the environment or in the file env of the data directory';
