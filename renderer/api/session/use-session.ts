// Who is signed in, for components, and what the studio offers them. The service decides what is permitted; the studio only
// leaves out what it would refuse.
import { useSyncExternalStore } from 'react';
import { type AnyOperationName, permissionsOf } from '../../../shared/api/index.ts';
import { session, type SessionState } from './session.ts';

export function useSession(): SessionState {
  return useSyncExternalStore(session.subscribe, session.state);
}

/** Whether the caller is permitted to call an operation, in every playbook that it reaches. */
export function useMayCall(name: AnyOperationName): boolean {
  return mayCall(useSession(), name);
}

/** As `useMayCall`, outside of components. */
export function mayCall(state: SessionState, name: AnyOperationName): boolean {
  if (state.is !== 'signed in') return true;
  const needed = permissionsOf(name);
  return needed.length === 0 || needed.some((permission) => state.caller.permissions.includes(permission));
}
