// Keys of model providers that a person gives in the studio.
//
// 1. A key is sealed in the secret store and, once opened, kept in memory. No event and no log entry mentions it.
// 2. An environment variable takes precedence: while it is set, no key is accepted, and a stored key is not used.
// 3. A stored key that cannot be opened is kept: its provider is not called, and opening is tried again whenever providers
//    are listed.
import type { ModelProviderEntry } from '../../../shared/schemas/index.ts';
import type { EventLog } from '../../kernel/log/index.ts';
import { conflict } from '../../lib/rejection.ts';
import { listSecretOwners, requireSealingKey, type SecretStore, shownEnd } from '../../kernel/secrets/index.ts';
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

export interface ProviderKeysOptions {
  /** What the environment and the configuration file say. */
  settings: () => ModelSettings;
  log: Pick<EventLog, 'read' | 'write' | 'shared'>;
  secrets: SecretStore;
}

export class ProviderKeys {
  readonly #options: ProviderKeysOptions;
  readonly #opened = new Map<string, string>();
  /** Why a stored key cannot be opened, by the prefix of its provider. */
  readonly #shut = new Map<string, string>();
  readonly #inTurn = createSerial();

  constructor(options: ProviderKeysOptions) {
    this.#options = options;
    // A key that cannot be read now is read again whenever providers are listed, as below.
    this.#options.log.shared?.onAnnounced((topic) => {
      const prefix = HOSTED.find((one) => topicOf(one) === topic);
      if (prefix === undefined) return;
      this.#inTurn('keys', () => this.#open(prefix)).catch(() =>
        this.#shut.set(prefix, 'The database could not be read.'),
      );
    });
  }

  /** Opens the stored keys; called before the first request. */
  async load(): Promise<void> {
    await Promise.all(HOSTED.map((prefix) => this.#open(prefix)));
  }

  /** The operator's settings of models, and the keys that were set. */
  settings(): ModelSettings {
    return withGivenKeys(this.#options.settings(), this.#opened);
  }

  /** The built-in providers, then the gateways. */
  list(): Promise<ModelProviderEntry[]> {
    return this.#inTurn('keys', async () => {
      // Another process may have changed one and its notification been lost.
      await Promise.all(
        this.#options.log.shared === undefined
          ? [...this.#shut.keys()].map((prefix) => this.#open(prefix))
          : HOSTED.map((prefix) => this.#open(prefix)),
      );
      return this.#entries();
    });
  }

  /** @param key null deletes the stored one */
  set(prefix: string, key: string | null): Promise<ModelProviderEntry> {
    return this.#inTurn('keys', async () => {
      await (key === null ? this.#forget(prefix) : this.#keep(prefix, key));
      return this.#entry(prefix);
    });
  }

  async #open(prefix: string): Promise<void> {
    const place = keyPlace(prefix);
    if (!(await this.#options.log.read((tx) => this.#options.secrets.isKept(tx, place)))) {
      this.#drop(prefix);
      return;
    }
    const read = await this.#options.secrets.open(place);
    if (read.ok) {
      this.#opened.set(prefix, read.text);
      this.#shut.delete(prefix);
    } else this.#shut.set(prefix, read.detail);
  }

  #entryOf(prefix: string, provider: ModelProvider | undefined): ModelProviderEntry {
    const byVariable = this.#options.settings().providers.some((one) => one.prefix === prefix);
    const unusable = this.#shut.get(prefix);
    const variables = configuringVariables(prefix);
    const key = provider?.kind === 'hosted' ? provider.variables[variables[0] ?? ''] : undefined;
    return {
      provider: prefix,
      kind: isHosted(prefix) ? 'hosted' : 'cloud',
      configured_by: provider === undefined ? null : byVariable ? 'environment' : 'studio',
      variables: [...variables],
      key_ends_with: key === undefined ? null : shownEnd(key),
      takes_key: isHosted(prefix) && !byVariable,
      key_is_kept: this.#opened.has(prefix) || unusable !== undefined,
      ...(unusable === undefined ? {} : { key_unusable: unusable }),
    };
  }

  #entries(): ModelProviderEntry[] {
    const { providers } = withGivenKeys(this.#options.settings(), this.#opened);
    const gateways = providers.filter(({ kind }) => kind === 'gateway').map(({ prefix }) => gatewayEntry(prefix));
    return [
      ...BUILT_IN.map((prefix) =>
        this.#entryOf(
          prefix,
          providers.find((one) => one.prefix === prefix),
        ),
      ),
      ...gateways,
    ];
  }

  #entry(prefix: string): ModelProviderEntry {
    const found = this.#entries().find(({ provider }) => provider === prefix);
    if (found === undefined) throw new Error(`${prefix} is no provider.`);
    return found;
  }

  async #keep(prefix: string, key: string): Promise<void> {
    if (!this.#options.settings().unset.some((one) => one.prefix === prefix)) {
      throw conflict(
        `${configuringVariables(prefix)[0]} is set in the environment or in the file env of the data directory, and takes precedence over a key that is set here. Remove it there first.`,
      );
    }
    const dataKey = await requireSealingKey(this.#options.secrets);
    await this.#options.log.write('no playbook', (tx) =>
      this.#options.secrets.put(tx, dataKey, keyPlace(prefix), { text: key, shown: shownEnd(key) }),
    );
    this.#opened.set(prefix, key);
    this.#shut.delete(prefix);
    this.#options.log.shared?.announce(topicOf(prefix));
  }

  #drop(prefix: string): void {
    this.#opened.delete(prefix);
    this.#shut.delete(prefix);
  }

  async #forget(prefix: string): Promise<void> {
    await this.#options.log.write('no playbook', (tx) => this.#options.secrets.forget(tx, keyPlace(prefix)));
    this.#drop(prefix);
    this.#options.log.shared?.announce(topicOf(prefix));
  }
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
