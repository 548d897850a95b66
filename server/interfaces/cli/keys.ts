// `cuebook keys`: creates API keys. Nothing is stored: the operator configures the entry and stores the key.
import { createKey } from '../../domain/access/index.ts';
import { openSettings, readKeyEntry } from '../../settings/index.ts';
import { progress, show } from './output.ts';

export interface CreateOptions {
  name: string;
  org: string;
  permissions: string;
  playbooks?: string | undefined;
  json?: boolean | undefined;
}

/** @throws SettingsError for an entry that a server would refuse */
export function create({ name, org, permissions, playbooks, json }: CreateOptions): void {
  const { key, sha256 } = createKey();
  const entry = {
    name,
    sha256,
    org,
    permissions: wordsOf(permissions),
    ...(playbooks === undefined ? {} : { playbooks: wordsOf(playbooks) }),
  };
  readKeyEntry(entry);
  show({ json }, { key, entry }, () => {
    progress('The key, which is shown only once:');
    return `${key}\n\nAdd this entry to the list API_KEYS, or to api_keys in the configuration file:\n${JSON.stringify(entry)}`;
  });
}

/** Names, orgs and permissions of the configured keys; never digests. */
export function list(options: { dataDir?: string | undefined; json?: boolean | undefined }): void {
  const keys = openSettings(process.env, { dataDir: options.dataDir })
    .apiKeys()
    .map(({ name, org, permissions, playbooks }) => ({ name, org, permissions, playbooks: playbooks ?? ['*'] }));
  show(options, { keys }, () =>
    keys.length === 0
      ? 'No API key is configured: the server runs in local mode.'
      : keys
          .map(
            ({ name, org, permissions, playbooks }) =>
              `${name}  org ${org}  ${permissions.join(', ')}  playbooks ${playbooks.join(', ')}`,
          )
          .join('\n'),
  );
}

function wordsOf(list: string): string[] {
  return list
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}
