/** The paths of the studio's pages below `/playbooks/$playbook`. A segment that begins with $ is a parameter. */
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

/** The paths of pages that need no parameter beyond the playbook: those that the navigation can show. */
export type FixedPlacePath = Exclude<PlacePath, `${string}$${string}`>;
