import type { InteractionRequest } from '../../../shared/schemas/index.ts';
import { playbookPath } from '../../api/operations.ts';
import { addressOf, type Query } from '../../api/send.ts';
import type { Copy } from '../../ui/copy-as.tsx';
import { curlCommand } from '../../ui/curl.ts';

const EVENT_TYPES = { answered: 'request_answered', notices: 'interaction_requested' } as const;

/** The calls that read what a list of the inbox shows. One call keeps the requests to one party, or to all. */
export function listCopies(
  playbook: string,
  list: keyof typeof EVENT_TYPES | undefined,
  parties: readonly string[],
  open: readonly InteractionRequest[] | undefined,
): Copy[] {
  const [to, ...others] = parties;
  const isOneParty = to !== undefined && others.length === 0;
  const [place, name, query]: [place: string, name: string, query: Query] =
    list === undefined
      ? ['interactions', 'list_interactions', isOneParty ? { to } : {}]
      : ['events', 'list_playbook_events', { type: EVENT_TYPES[list] }];
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
