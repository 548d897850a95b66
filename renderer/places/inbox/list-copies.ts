import type { InteractionRequest } from '../../../shared/api/index.ts';
import { callCopies } from '../../ui/call-copies.ts';
import type { Copy } from '../../ui/copy-as.tsx';

/** The calls that return what a list of the inbox shows. A call can filter by one party only. */
export function listCopies(
  playbook: string,
  list: 'answered' | 'unanswered' | 'notices' | undefined,
  parties: readonly string[],
  open: readonly InteractionRequest[] | undefined,
): Copy[] {
  const [to, ...others] = parties;
  switch (list) {
    case 'answered':
      return callCopies('list_playbook_events', { playbook, type: 'request_answered' });
    case 'unanswered':
      return callCopies('list_runs', { playbook, type: 'interaction', status: 'rejected' });
    case 'notices':
      return callCopies('list_playbook_events', { playbook, type: 'interaction_requested' });
    case undefined:
      return [
        ...callCopies('list_interactions', { playbook, to: others.length === 0 ? to : undefined }),
        { name: 'JSON', text: () => JSON.stringify(open ?? [], undefined, 2) },
      ];
  }
}
