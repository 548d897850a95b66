import { Bot, Boxes, House, Inbox, type LucideIcon, Activity, Plug, Radio, SquareFunction, Wrench } from 'lucide-react';
import type { FixedPlacePath } from '../../shared/places.ts';

export interface Place {
  title: string;
  icon: LucideIcon;
  /** The key to press after `g`. */
  key: string;
  to: `/playbooks/$playbook${FixedPlacePath}`;
}

/**
 * The pages of the navigation, the palette and the `g` keys. Each also needs a path in shared/places.ts and a route in
 * routes.tsx.
 */
export const PLACES: readonly Place[] = [
  { title: 'Home', icon: House, key: 'h', to: '/playbooks/$playbook' },
  { title: 'Definitions', icon: SquareFunction, key: 'd', to: '/playbooks/$playbook/definitions' },
  { title: 'Runs', icon: Activity, key: 'r', to: '/playbooks/$playbook/runs' },
  { title: 'Inbox', icon: Inbox, key: 'i', to: '/playbooks/$playbook/inbox' },
  { title: 'Events', icon: Radio, key: 'e', to: '/playbooks/$playbook/events' },
  { title: 'Tools', icon: Wrench, key: 't', to: '/playbooks/$playbook/tools' },
  { title: 'Models', icon: Boxes, key: 'm', to: '/playbooks/$playbook/models' },
  { title: 'Connections', icon: Plug, key: 'c', to: '/playbooks/$playbook/connections' },
  { title: 'Connect an agent', icon: Bot, key: 'a', to: '/playbooks/$playbook/agents' },
];
