import { useSyncExternalStore } from 'react';
import { permissionsOf } from '../../shared/api/index.ts';
import { session, type SessionState } from './session.ts';

export function useSession(): SessionState {
  return useSyncExternalStore(session.subscribe, session.state);
}

/**
 * Whether the caller is permitted to call an operation, in every playbook that it reaches. The service decides; the studio
 * only leaves out what it would refuse.
 */
export function useMayCall(name: Parameters<typeof permissionsOf>[0]): boolean {
  const state = useSession();
  if (state.is !== 'signed in') return true;
  const needed = permissionsOf(name);
  return needed.length === 0 || needed.some((permission) => state.caller.permissions.includes(permission));
}
