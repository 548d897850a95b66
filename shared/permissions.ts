/** What a caller may be permitted to do; the contract, "Permissions". */
export const PERMISSIONS = {
  'org:read': "read the org's playbooks and connections, list models, search the org's tool servers",
  'org:write': 'create, update and retire playbooks; add and remove connections',
  'playbook:read': 'read definitions, runs, history, events, requests and analytics; search and read tools',
  'playbook:write':
    'create, change, retire and run definitions; cancel runs; send and publish events; answer requests; call tools',
} as const;

export type Permission = keyof typeof PERMISSIONS;

/** In the order of the contract. */
export const ALL_PERMISSIONS = Object.keys(PERMISSIONS) as readonly Permission[];

export function isPermission(text: string): text is Permission {
  return Object.hasOwn(PERMISSIONS, text);
}

/** The form of an org's id. */
export const ORG_PATTERN = /^[A-Za-z0-9_-]{1,64}$/;

/** What every API key begins with; any other credential is a token. */
export const KEY_PREFIX = 'abk_';
