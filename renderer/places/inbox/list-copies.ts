import type { InteractionRequest } from '../../../shared/schemas/index.ts';
import { playbookPath } from '../../api/operations.ts';
import { addressOf, type Query } from '../../api/send.ts';
import type { Copy } from '../../ui/copy-as.tsx';
import { curlCommand } from '../../ui/curl.ts';

type Call = [place: string, name: string, query: Query];

const OF_LISTS: Readonly<Record<'answered' | 'unanswered' | 'notices', Call>> = {
  answered: ['events', 'list_playbook_events', { type: 'request_answered' }],
  unanswered: ['runs', 'list_runs', { type: 'interaction', status: 'rejected' }],
  notices: ['events', 'list_playbook_events', { type: 'interaction_requested' }],
};

/** The calls that read what a list of the inbox shows. One call keeps the requests to one party, or to all. */
export function listCopies(
  playbook: string,
  list: keyof typeof OF_LISTS | undefined,
  parties: readonly string[],
  open: readonly InteractionRequest[] | undefined,
): Copy[] {
  const [to, ...others] = parties;
  const isOneParty = to !== undefined && others.length === 0;
  const [place, name, query]: Call =
    list === undefined ? ['interactions', 'list_interactions', isOneParty ? { to } : {}] : OF_LISTS[list];
  const copies: Copy[] = [
    { name: 'curl', text: () => curlCommand('GET', addressOf(`${playbookPath(playbook)}/${place}`, query)) },
    {
      name: 'MCP call',
      text: () => JSON.stringify({ name, arguments: { playbook, ...query } }, undefined, 2),
    },
  ];
  if (list !== undefined) return copies;
  return [...copies, { name: 'JSON', text: () => JSON.stringify(open ?? [], undefined, 2) }];
}
