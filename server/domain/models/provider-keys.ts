// Keys of model providers that a person gives in the studio.
//
// 1. A key is sealed in the secret store and, once opened, kept in memory. No event and no log entry mentions it.
// 2. An environment variable takes precedence: while it is set, no key is accepted, and a stored key is not used.
// 3. A stored key that cannot be opened is kept: its provider is not called, and opening is tried again whenever providers
//    are listed.
import type { ModelProviderEntry } from '../../../shared/schemas/index.ts';
import type { EventLog } from '../../kernel/log/index.ts';
import { conflict, unavailable } from '../../lib/rejection.ts';
import { type DataKey, listSecretOwners, NoDataKey, type SecretStore, shownEnd } from '../../kernel/secrets/index.ts';
import { createSerial } from '../../lib/gate.ts';
import {
  BUILT_IN,
  configuringVariables,
  isHosted,
  keyPlace,
  type ModelProvider,
  type ModelSettings,
  withGivenKeys,
} from '../../settings/index.ts';

/** The providers whose key can be set in the studio. */
export const HOSTED: readonly string[] = BUILT_IN.filter(isHosted);

export interface ProviderKeys {
  /** Opens the stored keys; called before the first request. */
  load: () => Promise<void>;
  /** The operator's settings of models, and the keys that were set. */
  settings: () => ModelSettings;
  /** The built-in providers, then the gateways. */
  list: () => Promise<ModelProviderEntry[]>;
  /** @param key null deletes the stored one */
  set: (prefix: string, key: string | null) => Promise<ModelProviderEntry>;
}

export interface ProviderKeysOptions {
  /** What the environment and the configuration file say. */
  settings: () => ModelSettings;
  log: Pick<EventLog, 'read' | 'write' | 'shared'>;
  secrets: SecretStore;
}

export function createProviderKeys({ settings, log, secrets }: ProviderKeysOptions): ProviderKeys {
  const opened = new Map<string, string>();
  /** Why a stored key cannot be opened, by the prefix of its provider. */
  const shut = new Map<string, string>();
  const inTurn = createSerial();

  async function open(prefix: string): Promise<void> {
    const place = keyPlace(prefix);
    if (!(await log.read((tx) => secrets.isKept(tx, place)))) {
      drop(prefix);
      return;
    }
    const read = await secrets.open(place);
    if (read.ok) {
      opened.set(prefix, read.text);
      shut.delete(prefix);
    } else shut.set(prefix, read.detail);
  }

  function entryOf(prefix: string, provider: ModelProvider | undefined): ModelProviderEntry {
    const byVariable = settings().providers.some((one) => one.prefix === prefix);
    const unusable = shut.get(prefix);
    const variables = configuringVariables(prefix);
    const key = provider?.kind === 'hosted' ? provider.variables[variables[0] ?? ''] : undefined;
    return {
      provider: prefix,
      kind: isHosted(prefix) ? 'hosted' : 'cloud',
      configured_by: provider === undefined ? null : byVariable ? 'environment' : 'studio',
      variables: [...variables],
      key_ends_with: key === undefined ? null : shownEnd(key),
      takes_key: isHosted(prefix) && !byVariable,
      key_is_kept: opened.has(prefix) || unusable !== undefined,
      ...(unusable === undefined ? {} : { key_unusable: unusable }),
    };
  }

  function entries(): ModelProviderEntry[] {
    const { providers } = withGivenKeys(settings(), opened);
    const gateways = providers.filter(({ kind }) => kind === 'gateway').map(({ prefix }) => gatewayEntry(prefix));
    return [
      ...BUILT_IN.map((prefix) =>
        entryOf(
          prefix,
          providers.find((one) => one.prefix === prefix),
        ),
      ),
      ...gateways,
    ];
  }

  function entry(prefix: string): ModelProviderEntry {
    const found = entries().find(({ provider }) => provider === prefix);
    if (found === undefined) throw new Error(`${prefix} is no provider.`);
    return found;
  }

  async function keep(prefix: string, key: string): Promise<void> {
    if (!settings().unset.some((one) => one.prefix === prefix)) {
      throw conflict(
        `${configuringVariables(prefix)[0]} is set in the environment or in the file env of the data directory, and takes precedence over a key that is set here. Remove it there first.`,
      );
    }
    const dataKey = await sealingKey();
    await log.write('no playbook', (tx) =>
      secrets.put(tx, dataKey, keyPlace(prefix), { text: key, shown: shownEnd(key) }),
    );
    opened.set(prefix, key);
    shut.delete(prefix);
    log.shared?.announce(topicOf(prefix));
  }

  function drop(prefix: string): void {
    opened.delete(prefix);
    shut.delete(prefix);
  }

  async function sealingKey(): Promise<DataKey> {
    try {
      return await secrets.sealingKey();
    } catch (error) {
      throw error instanceof NoDataKey
        ? unavailable(`The secret store cannot encrypt anything now, so nothing was changed. ${error.message}`)
        : error;
    }
  }

  async function forget(prefix: string): Promise<void> {
    await log.write('no playbook', (tx) => secrets.forget(tx, keyPlace(prefix)));
    drop(prefix);
    log.shared?.announce(topicOf(prefix));
  }

  // A key that cannot be read now is read again whenever providers are listed, as below.
  log.shared?.onAnnounced((topic) => {
    const prefix = HOSTED.find((one) => topicOf(one) === topic);
    if (prefix === undefined) return;
    inTurn('keys', () => open(prefix)).catch(() => shut.set(prefix, 'The database could not be read.'));
  });

  return {
    load: async () => {
      await Promise.all(HOSTED.map(open));
    },
    settings: () => withGivenKeys(settings(), opened),
    list: () =>
      inTurn('keys', async () => {
        // Another process may have changed one and its notification been lost.
        await Promise.all(log.shared === undefined ? [...shut.keys()].map(open) : HOSTED.map(open));
        return entries();
      }),
    set: (prefix, key) =>
      inTurn('keys', async () => {
        await (key === null ? forget(prefix) : keep(prefix, key));
        return entry(prefix);
      }),
  };
}

const topicOf = (prefix: string): string => `key of ${prefix}`;

/** The settings of gateways give their keys. */
function gatewayEntry(prefix: string): ModelProviderEntry {
  return {
    provider: prefix,
    kind: 'gateway',
    configured_by: 'configuration',
    variables: [],
    key_ends_with: null,
    takes_key: false,
    key_is_kept: false,
  };
}

/** The providers whose keys a database holds, whether or not they can be opened. The database need not be open. */
export function listProvidersWithKeys(databaseFile: string): string[] {
  return BUILT_IN.filter((prefix) => {
    const { org, owner } = keyPlace(prefix);
    return listSecretOwners(databaseFile, org).includes(owner);
  });
}
