// Which playbooks an entry of the file serves.
import type { PlaybookKey } from '../kernel/log/index.ts';
import { type ConfigEntry, listOf } from './entries.ts';
import { invalidSetting, quoted } from './settings-error.ts';

/** `published`: others than the person at this machine call the server. */
export type Mode = 'local' | 'published';

/** What an entry says of the playbooks that it serves. A list may hold `*` for all. */
export interface PlaybookFilter {
  orgs: readonly string[] | undefined;
  playbooks: readonly string[] | undefined;
}

/** An entry without `orgs` serves all in local mode and none when published; without `playbooks`, all. */
export function servesPlaybook(
  { orgs, playbooks }: PlaybookFilter,
  { org, playbook }: PlaybookKey,
  mode: Mode,
): boolean {
  return (
    (orgs === undefined ? mode === 'local' : lists(orgs, org)) &&
    (playbooks === undefined || lists(playbooks, playbook))
  );
}

function lists(names: readonly string[], name: string): boolean {
  return names.includes('*') || names.includes(name);
}

export const PLAYBOOK_FILTER_FIELDS = ['orgs', 'playbooks'] as const;

export function playbookFilterOf(entry: ConfigEntry): PlaybookFilter {
  return { orgs: namesOf(entry, 'orgs'), playbooks: namesOf(entry, 'playbooks') };
}

function namesOf(entry: ConfigEntry, field: (typeof PLAYBOOK_FILTER_FIELDS)[number]): string[] | undefined {
  const expected = { list: 'a list of names, or ["*"] for all', each: 'a name, or "*" for all' };
  return listOf(entry, field, expected, ({ file, path, written, text }) => {
    if (text !== '' && (text === '*' || !text.includes('*'))) return text;
    throw invalidSetting(path, file, quoted(written), 'a complete name, or "*" for all');
  });
}
