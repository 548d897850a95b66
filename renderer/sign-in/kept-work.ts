// Unsaved work in the browser: drafts of definitions, connections and answers, and inputs of runs, tools and events. It belongs to an org,
// because after signing out a person may sign in to another org on the same page. Browsers separate storage by server.
import { PRODUCT } from '../../shared/product.ts';
import { removeStored, storedKeys } from '../ui/browser-storage.ts';
import { type Session, session } from '../api/session/session.ts';

/** The first word of the keys of drafts; inputs are not drafts: they only fill in a form again. */
const DRAFTS = ['draft ', 'answer '];
const INPUTS = ['run input ', 'bench input ', 'tool input ', 'event input '];
/** The copies of drafts that a tab keeps for itself, in its sessionStorage. */
export const TAB_DRAFTS = 'tab draft ';

type Owner = Pick<Session, 'isLocal' | 'org'>;

/** The key in the storage of the browser. @param name begins with one of the words above */
export function workKey(name: string, { isLocal, org }: Owner = session): string {
  // The name of an org contains no space.
  return isLocal ? `${PRODUCT} ${name}` : `${PRODUCT} org ${org()} ${name}`;
}

/** The keys of drafts that this browser keeps for the org. */
export function keptDrafts(owner: Owner = session): string[] {
  return DRAFTS.flatMap((word) => storedKeys('localStorage', workKey(word, owner)));
}

/** Deletes the drafts of the org, and the inputs and the copies of drafts that this tab has. */
export function deleteWork(owner: Owner = session): void {
  for (const key of keptDrafts(owner)) removeStored('localStorage', key);
  for (const word of [...INPUTS, TAB_DRAFTS]) {
    for (const key of storedKeys('sessionStorage', workKey(word, owner))) removeStored('sessionStorage', key);
  }
}

/** Signs out at once if the browser keeps no drafts. @param ask shows `SignOutDialog` */
export function signOutOr(ask: () => void): void {
  if (keptDrafts().length > 0) return ask();
  deleteWork();
  void session.signOut();
}
