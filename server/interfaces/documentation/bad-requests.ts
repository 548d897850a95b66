import { Refused } from '../../lib/rejection.ts';
import type { Callable } from '../../operations/index.ts';

/** The callable, whose wrong fields are malformed requests: the documentation's API answers them with 400. */
export function asBadRequests(callable: Callable): Callable {
  return {
    ...callable,
    async carryOut(...args) {
      try {
        return await callable.carryOut(...args);
      } catch (error) {
        if (!(error instanceof Refused) || error.rejection.reason !== 'invalid_input') throw error;
        throw new Refused({ ...error.rejection, reason: 'bad_request' });
      }
    },
  };
}
