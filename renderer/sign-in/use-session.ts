import { useSyncExternalStore } from 'react';
import type { AnyOperationName } from '../../shared/api/index.ts';
import { mayCall } from './may-call.ts';
import { session, type SessionState } from './session.ts';

export function useSession(): SessionState {
  return useSyncExternalStore(session.subscribe, session.state);
}

/** Whether the caller is permitted to call an operation, in every playbook that it reaches. */
export function useMayCall(name: AnyOperationName): boolean {
  return mayCall(useSession(), name);
}
