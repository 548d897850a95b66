// The values of WWW-Authenticate (RFC 6750, section 3; RFC 9728, section 5.1).
import { ALL_PERMISSIONS, type Permission } from '../../../shared/permissions.ts';

/** What a sign-in asks for: the first scope ties the token to an org, the others are permissions. */
export const SCOPES = ['user:org:read', ...ALL_PERMISSIONS] as const;

export const METADATA_PATH = '/.well-known/oauth-protected-resource';

export interface Challenges {
  /** The Authorization header is not exactly one Bearer value. */
  malformed: string;
  /** Nothing was presented. */
  missing: string;
  /** The key or token that was presented is refused. */
  refused: string;
  /**
   * The caller has none of these permissions.
   * @param endpoint the path of the MCP endpoint that refuses an org or a playbook
   */
  insufficient: (permissions: readonly Permission[], endpoint?: string) => string;
}

/** @param signInAt the origin of a server where people sign in */
export function createChallenges(signInAt: string | undefined): Challenges {
  const bearer = (error: string | undefined, scope: readonly string[], endpoint = ''): string => {
    const parameters = [
      ...(error === undefined ? [] : [`error="${error}"`]),
      ...(signInAt === undefined
        ? []
        : [`resource_metadata="${signInAt}${METADATA_PATH}${endpoint}"`, `scope="${scope.join(' ')}"`]),
    ];
    return parameters.length === 0 ? 'Bearer' : `Bearer ${parameters.join(', ')}`;
  };
  return {
    malformed: 'Bearer error="invalid_request"',
    missing: bearer(undefined, SCOPES),
    refused: bearer('invalid_token', SCOPES),
    insufficient: (permissions, endpoint) => bearer('insufficient_scope', permissions, endpoint),
  };
}
