import { mayCall, useSession } from '../api/session/use-session.ts';
import { type Place, PLACES } from './places.ts';

/** The pages that the caller is permitted to read. */
export function usePlaces(): readonly Place[] {
  const state = useSession();
  return PLACES.filter(({ reads }) => mayCall(state, reads));
}
