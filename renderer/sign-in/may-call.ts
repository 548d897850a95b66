// What the studio offers. The service decides what is permitted; the studio only leaves out what it would refuse.
import { type AnyOperationName, permissionsOf } from '../../shared/api/index.ts';
import type { SessionState } from './session.ts';

/** Whether the caller is permitted to call an operation, in every playbook that it reaches. */
export function mayCall(state: SessionState, name: AnyOperationName): boolean {
  if (state.is !== 'signed in') return true;
  const needed = permissionsOf(name);
  return needed.length === 0 || needed.some((permission) => state.caller.permissions.includes(permission));
}
