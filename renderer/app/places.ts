import { Bot, Boxes, House, Inbox, type LucideIcon, Activity, Plug, Radio, SquareFunction, Wrench } from 'lucide-react';
import type { FixedPlacePath } from '../../shared/places.ts';
import type { AnyOperationName } from '../../shared/api/index.ts';

export interface Place {
  title: string;
  icon: LucideIcon;
  /** The key to press after `g`. */
  key: string;
  to: `/playbooks/$playbook${FixedPlacePath}`;
  /** The operation without which there is nothing to show. */
  reads: AnyOperationName;
}

/**
 * The pages of the navigation, the palette and the `g` keys. Each also needs a path in shared/places.ts and a route in
 * routes.tsx.
 */
export const PLACES: readonly Place[] = [
  { title: 'Home', icon: House, key: 'h', to: '/playbooks/$playbook', reads: 'get_playbook_analytics' },
  {
    title: 'Definitions',
    icon: SquareFunction,
    key: 'd',
    to: '/playbooks/$playbook/definitions',
    reads: 'list_definitions',
  },
  { title: 'Runs', icon: Activity, key: 'r', to: '/playbooks/$playbook/runs', reads: 'list_runs' },
  { title: 'Inbox', icon: Inbox, key: 'i', to: '/playbooks/$playbook/inbox', reads: 'list_interactions' },
  { title: 'Events', icon: Radio, key: 'e', to: '/playbooks/$playbook/events', reads: 'list_playbook_events' },
  { title: 'Tools', icon: Wrench, key: 't', to: '/playbooks/$playbook/tools', reads: 'search' },
  { title: 'Models', icon: Boxes, key: 'm', to: '/playbooks/$playbook/models', reads: 'list_models' },
  { title: 'Connections', icon: Plug, key: 'c', to: '/playbooks/$playbook/connections', reads: 'list_connections' },
  { title: 'Connect an agent', icon: Bot, key: 'a', to: '/playbooks/$playbook/agents', reads: 'get_caller' },
];
