import { type Environment, environmentVariable } from './environment.ts';
import { parseEnv } from './parse-env.ts';
import { readText } from './read-text.ts';
import { SettingsError } from './settings-error.ts';

export interface EnvFile {
  path: string;
  /** False where there is no such file. */
  wasRead: boolean;
  /** How many variables it sets. */
  variables: number;
}

/**
 * The environment, and what the env file sets where the environment lacks it.
 * @param text that of the file; another one is only checked
 * @throws SettingsError for a file that others may use, and for lines that are not `NAME=value`
 */
export function withEnvFile(
  environment: Environment,
  file: string,
  text: string | undefined = readEnvText(file),
): { environment: Environment; envFile: EnvFile } {
  const parsed = parseEnv(text ?? '');
  if (!parsed.ok) throw new SettingsError(`The env file ${file}, line ${parsed.line}, ${parsed.says}.`);
  if (parsed.variables.has('DATA_DIR')) {
    throw new SettingsError(
      `The env file ${file} sets DATA_DIR, which decides where the env file is; set it in the environment, or use --data-dir.`,
    );
  }
  const own = Object.entries(environment).filter(([name]) => environmentVariable(environment, name) !== undefined);
  return {
    environment: Object.fromEntries([...parsed.variables, ...own]),
    envFile: { path: file, wasRead: text !== undefined, variables: parsed.variables.size },
  };
}

/** @throws SettingsError */
export function readEnvText(file: string): string | undefined {
  return readText(`The env file ${file}`, file, true);
}

const ESCAPED: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '"': '\\"',
  '\\': '\\\\',
  $: '\\$',
};

/** The text with more variables at its end. None of them may be in it. */
export function addedToEnv(text: string, variables: Readonly<Record<string, string>>): string {
  const lines = Object.entries(variables).map(
    ([name, value]) => `${name}="${value.replaceAll(/[\n\r\t"\\$]/g, (one) => ESCAPED[one] ?? one)}"\n`,
  );
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${lines.join('')}`;
}
