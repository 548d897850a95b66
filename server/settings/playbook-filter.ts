// Which playbooks an entry of the file serves.
import type { Place } from '../kernel/log/index.ts';
import { type Entry, listOf } from './entries.ts';
import { misfit, quoted } from './settings-error.ts';

/** `published`: others than the person at this machine call the server. */
export type Mode = 'local' | 'published';

/** What an entry says of the playbooks that it serves. A list may hold `*` for all. */
export interface GivenTo {
  orgs: readonly string[] | undefined;
  playbooks: readonly string[] | undefined;
}

/** An entry without `orgs` serves all in local mode and none when published; without `playbooks`, all. */
export function serves({ orgs, playbooks }: GivenTo, { org, playbook }: Place, mode: Mode): boolean {
  return (
    (orgs === undefined ? mode === 'local' : lists(orgs, org)) &&
    (playbooks === undefined || lists(playbooks, playbook))
  );
}

function lists(names: readonly string[], name: string): boolean {
  return names.includes('*') || names.includes(name);
}

export const GIVEN_TO_FIELDS = ['orgs', 'playbooks'] as const;

export function givenTo(entry: Entry): GivenTo {
  return { orgs: namesOf(entry, 'orgs'), playbooks: namesOf(entry, 'playbooks') };
}

function namesOf(entry: Entry, field: (typeof GIVEN_TO_FIELDS)[number]): string[] | undefined {
  const takes = { list: 'a list of names, or ["*"] for all', each: 'a name, or "*" for all' };
  return listOf(entry, field, takes, ({ file, path, written, text }) => {
    if (text !== '' && (text === '*' || !text.includes('*'))) return text;
    throw misfit(path, file, quoted(written), 'a whole name, or "*" for all');
  });
}
