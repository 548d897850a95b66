// The two files of the settings: `env` in the data directory, and the configuration file.
//
// 1. A file that does not fit changes nothing: all that was in force stays so.
// 2. The stamp kept was taken before the files were read: whatever changes them afterwards has another one.
// 3. No secret is a member of anything here: a secret is reached by `workflowSecrets`, `toolServers`, `models` and
//    `connectionRules` alone.
import { createHash } from 'node:crypto';
import path from 'node:path';
import type { PlaybookKey } from '../kernel/log/index.ts';
import { changedConfig, type ConfigChange, writeTexts } from './change-config.ts';
import {
  checkConfig,
  type ConfigPlace,
  namesApiKeys,
  parsedConfig,
  readConfigFile,
  readConfigText,
} from './config-file.ts';
import { PART_NAMES, type PartReaders } from './config-parts.ts';
import { lazily } from '../lib/lazily.ts';
import { addedToEnv, type EnvFile, readEnvText, withEnvFile } from './env-file.ts';
import { type Environment, environmentVariable } from './environment.ts';
import type { Mode } from './playbook-filter.ts';
import { BUILT_IN } from './models/index.ts';
import { refuseTooLarge } from './read-text.ts';
import { SettingsError } from './settings-error.ts';
import { isPublished } from './published.ts';
import { readDatabase } from './database.ts';
import { allowedHosts, namedHosts, secretsOf, type WorkflowGrants } from './workflow-grants.ts';

export interface ConfigFile {
  path: string;
  /** False where there is no such file. */
  wasRead: boolean;
  /** How many entries each of its keys has. */
  entries: Readonly<Record<string, number>>;
  /** Keys that variables say: what the file says of them is not in force. */
  inVariables: readonly string[];
}

export interface SettingsFiles {
  envFile: EnvFile;
  configFile: ConfigFile;
}

interface GrantReaders {
  /** Says which hosts, `name` or `name:port`, the workflows of a playbook may call. */
  workflowHosts: (playbookKey: PlaybookKey) => (host: string) => boolean;
  /** Says which of these hosts an entry names itself, other than by `*.`. */
  workflowNamedHosts: (playbookKey: PlaybookKey) => (host: string) => boolean;
  /** The variables, by name, that the workflows of a playbook see. */
  workflowSecrets: (playbookKey: PlaybookKey) => Readonly<Record<string, string>>;
}

/** What the configuration file says, as it is in force. */
export interface LiveParts extends Omit<PartReaders, 'workflowGrants'>, GrantReaders {}

const OWN_PARTS = PART_NAMES.filter((name) => name !== 'workflowGrants');
export const LIVE_PARTS: readonly (keyof LiveParts)[] = [
  ...OWN_PARTS,
  'workflowHosts',
  'workflowNamedHosts',
  'workflowSecrets',
];

export interface LiveFiles extends LiveParts {
  /** What was read last without fault. */
  read(): SettingsFiles;
  /** The same without the entries that do not fit: such a tool server or gateway is there, and says why it cannot be used. */
  usable: LiveParts;
  /** Identifies the current contents of the files on the disk. */
  stamp(): string;
  /** The stamp of what was read last, with fault or without. */
  readStamp(): string;
  /** Reads and checks everything, then puts it in force. @throws SettingsError where a file does not fit */
  readAgain(): void;
  /** Reads the env file, and returns whether it or the environment sets a variable. @throws SettingsError */
  readVariables(): (variable: string) => boolean;
  /**
   * The text of the configuration file before and after a change, which is not written. @throws SettingsError where it
   * would not fit
   */
  previewConfig(change: ConfigChange, variables: Readonly<Record<string, string>>): { before: string; after: string };
  /**
   * Changes members of the configuration file.
   * @param variables that the env file gets; none of them may be set
   * @throws SettingsError where it would not fit or cannot be written; then no file is changed
   */
  changeConfig(change: ConfigChange, variables?: Readonly<Record<string, string>>): void;
}

/** The prefixes of the providers whose keys the secret store of a database keeps. Settings open no store. */
export type KeptProviders = (databaseFile: string) => readonly string[];

/** What the env file and the configuration file decide. Each is read when it is first used, and may throw SettingsError. */
export interface OpenedFiles {
  /** The environment that the env file has filled, for the other settings. */
  environment: () => Environment;
  mode: () => Mode;
  files: LiveFiles;
}

/** Reads neither file yet. */
export function openFiles(own: Environment, dataDir: string, keptProviders: KeptProviders): OpenedFiles {
  const envPath = path.join(dataDir, 'env');
  const environment = lazily(() => withEnvFile(own, envPath).environment);
  const place = lazily(() => configPlace(environment(), dataDir));
  const database = lazily(() => readDatabase(environment(), dataDir));
  // Which keys a PostgreSQL database keeps is known only once it is connected: then a model of any provider may be named.
  const keptKeys = (): readonly string[] => {
    const kept = database();
    return kept.kind === 'sqlite' ? keptProviders(kept.file) : BUILT_IN;
  };
  // Decided once: from local to published, or back, is a start.
  const mode = lazily((): Mode => (isPublished(environment()) || namesApiKeys(place()) ? 'published' : 'local'));

  const stamp = (): string => `${digestOf(() => readEnvText(envPath))} ${digestOf(() => readConfigText(place()))}`;
  /** The files as they are when a part of them is first used. */
  const open = () => {
    const before = lazily(stamp);
    const env = lazily(() => {
      before();
      return withEnvFile(own, envPath);
    });
    const text = lazily(() => {
      before();
      return readConfigText(place());
    });
    const config = readConfigFile(place, { environment: () => env().environment, mode, keptKeys, text });
    return { stamp: before, env, config };
  };
  const livePartsOf = (parts: () => PartReaders): LiveParts => {
    const grants = (): WorkflowGrants => parts().workflowGrants();
    return {
      ...(Object.fromEntries(OWN_PARTS.map((name) => [name, () => parts()[name]()])) as Omit<
        PartReaders,
        'workflowGrants'
      >),
      workflowHosts: (playbook) => allowedHosts(grants(), playbook, mode()),
      workflowNamedHosts: (playbook) => namedHosts(grants(), playbook, mode()),
      workflowSecrets: (playbook) => secretsOf(grants(), playbook, mode()),
    };
  };
  let lastOpened = open();
  let inForce = lastOpened;
  const readAgain = (): void => {
    lastOpened = open();
    lastOpened.stamp();
    lastOpened.env();
    if (mode() === 'local' && namesApiKeys(place())) {
      throw new SettingsError(`api_keys in ${place().path} makes this a published server; restart it.`);
    }
    checkConfig(lastOpened.config);
    inForce = lastOpened;
  };
  const changed = (change: ConfigChange, variables: Readonly<Record<string, string>>) => {
    const before = readConfigText(place()) ?? '';
    parsedConfig(place(), before);
    const after = changedConfig(before, change);
    const env = addedToEnv(readEnvText(envPath) ?? '', variables);
    refuseTooLarge(`The configuration file ${place().path}`, Buffer.byteLength(after));
    refuseTooLarge(`The env file ${envPath}`, Buffer.byteLength(env));
    const filled = withEnvFile(own, envPath, env).environment;
    checkConfig(readConfigFile(place, { environment: () => filled, mode, keptKeys, text: () => after }));
    return { before, after, env };
  };
  return {
    environment,
    mode,
    files: {
      read: () => ({
        envFile: inForce.env().envFile,
        configFile: {
          path: place().path,
          wasRead: inForce.config.wasRead(),
          entries: inForce.config.entries(),
          inVariables: inForce.config.inVariables(),
        },
      }),
      ...livePartsOf(() => inForce.config.parts),
      usable: livePartsOf(() => inForce.config.usable),
      stamp,
      readStamp: () => lastOpened.stamp(),
      readAgain,
      readVariables() {
        const now = withEnvFile(own, envPath).environment;
        return (variable) => environmentVariable(now, variable) !== undefined;
      },
      previewConfig(change, variables) {
        const { before, after } = changed(change, variables);
        return { before, after };
      },
      changeConfig(change, variables = {}) {
        const { after, env } = changed(change, variables);
        // First the variables: a configuration that names them is only valid with them.
        const texts = [[envPath, env] as const, [place().path, after] as const];
        writeTexts(Object.keys(variables).length > 0 ? texts : texts.slice(1));
        readAgain();
      },
    },
  };
}

function configPlace(environment: Environment, dataDir: string): ConfigPlace {
  const named = environmentVariable(environment, 'CONFIG_FILE');
  return { path: path.resolve(dataDir, named ?? 'cuebook.yaml'), isNamed: named !== undefined };
}

/**
 * What reading a file comes to, its text or what is wrong with it, as a digest. Times and sizes would not do: a clock
 * of files ticks every few milliseconds, and two texts may be of one length.
 */
function digestOf(read: () => string | undefined): string {
  try {
    const text = read();
    return text === undefined ? 'absent' : createHash('sha256').update(text).digest('hex');
  } catch (error) {
    return error instanceof SettingsError ? error.message : String(error);
  }
}
