// Every variable and what it is, for the reference in docs/. A test holds this against the variables that the code reads.
import { CONFIG_KEYS } from './config-parts.ts';
import {
  type DescribedVariable,
  optionName,
  SERVER_SETTINGS,
  type ServerSettings,
  SETTING_NAMES,
  type ShownValue,
} from './server-settings.ts';

/** Variables that are no member of `Settings`, or are read before the others. */
const OTHER_VARIABLES: Readonly<Record<string, DescribedVariable>> = {
  DATA_DIR: {
    option: '`--data-dir`',
    meaning:
      'The data directory: the database, the env file, `secrets.key` if the data key was created here, and the file that describes the runtime that is using it.',
    default: "`cuebook` in the platform's data folder",
  },
  CONFIG_FILE: {
    meaning: 'The configuration file, relative to the data directory; it must exist.',
    default: '`cuebook.yaml`, if it exists',
  },
  SECRETS_KEY: {
    meaning: 'Data keys of the secret store, separated by commas; the first key seals, all of them open.',
    default:
      'a key created in the data directory, in a file that only its owner can read; with PostgreSQL it must be set',
  },
  API_KEYS: {
    meaning:
      'API keys of a published server: the entries of [`api_keys`](#api_keys) as a JSON list, in addition to those.',
    default: 'none: local mode',
  },
  CUEBOOK_KEY: { meaning: 'The API key that commands send to a published server.', default: 'none' },
  CUEBOOK_IDLE_SECONDS: {
    meaning:
      'The seconds without a client, run, trigger or timer after which a runtime started by `cuebook mcp` exits; at most 86400.',
    default: '600',
  },
  XDG_DATA_HOME: {
    meaning: "The platform's data folder, except on macOS (`~/Library/Application Support`) and Windows.",
    default: '`~/.local/share`',
  },
  LOCALAPPDATA: { meaning: "The platform's data folder on Windows.", default: '`~\\AppData\\Local`' },
};

const OVERRIDING = Object.entries(CONFIG_KEYS).flatMap(([key, { variable }]) =>
  variable === undefined ? [] : [{ key, variable }],
);

export const VARIABLES: Readonly<Record<string, DescribedVariable>> = {
  ...Object.fromEntries(
    SETTING_NAMES.flatMap((name) => {
      const { variables, option } = SERVER_SETTINGS[name];
      return Object.entries(variables).map(([variable, described], index) => [
        variable,
        index === 0 && option !== undefined
          ? { ...described, option: `\`--${optionName(name)}\` of \`serve\`` }
          : described,
      ]);
    }),
  ),
  ...Object.fromEntries(
    OVERRIDING.map(({ key, variable }) => [
      variable,
      {
        meaning: `The key [\`${key}\`](#${key}) as JSON; overrides the key in the file.`,
        default: 'the value in the file',
      },
    ]),
  ),
  ...OTHER_VARIABLES,
};

/** What `cuebook doctor` shows of the variables in effect: of one that may hold a secret, only that it is set. */
export function shownVariables(settings: ServerSettings, inVariables: readonly string[]): Record<string, ShownValue> {
  const values = SETTING_NAMES.flatMap((name) => {
    const { variables, shown } = SERVER_SETTINGS[name];
    if (shown !== undefined) return Object.entries(shown(settings[name] as never));
    const value = settings[name] as ShownValue;
    return Object.keys(variables).map((variable) => [variable, isEmpty(value) ? undefined : value] as const);
  });
  return {
    ...Object.fromEntries(values),
    ...Object.fromEntries(
      OVERRIDING.map(({ key, variable }) => [variable, inVariables.includes(key) ? 'set' : undefined]),
    ),
  };
}

function isEmpty(value: ShownValue): boolean {
  return Array.isArray(value) && value.length === 0;
}
