/** The studio's places, behind `/playbooks/$playbook`; a part that begins with $ stands for a name. */
export const PLACE_PATHS = [
  '',
  '/definitions',
  '/definitions/new',
  '/definitions/$type/$name',
  '/runs',
  '/runs/$runId',
  '/inbox',
  '/inbox/$runId',
  '/events',
  '/tools',
  '/tools/$server/$tool',
  '/models',
  '/connections',
  '/agents',
] as const;

export type PlacePath = (typeof PLACE_PATHS)[number];
