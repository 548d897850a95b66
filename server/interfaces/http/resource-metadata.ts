// Metadata of the server and of its MCP endpoints as protected resources (RFC 9728), with which clients find out where
// people sign in.
import type { FastifyInstance } from 'fastify';
import { ORG_PATTERN } from '../../../shared/permissions.ts';
import { notFound } from '../../lib/rejection.ts';
import { METADATA_PATH, SCOPES } from './challenges.ts';
import { MCP_ENDPOINTS } from './mcp-routes.ts';
import { addPublicRoute } from './public-routes.ts';

export interface SignIn {
  /** The origin of the server. */
  publicUrl: string;
  /** The only service whose tokens are accepted. */
  issuer: string;
}

export function addResourceMetadata(app: FastifyInstance, { publicUrl, issuer }: SignIn): void {
  for (const endpoint of ['', ...MCP_ENDPOINTS]) {
    addPublicRoute(app, `${METADATA_PATH}${endpoint}`, (request, reply) => {
      const { org } = request.params as { org?: string };
      if (org !== undefined && !ORG_PATTERN.test(org)) throw notFound(`There is no org ${org.slice(0, 64)}.`);
      const described = request.url.replace(/\?.*$/s, '').slice(METADATA_PATH.length);
      return reply
        .header('cache-control', 'no-store')
        .type('application/json; charset=utf-8')
        .send(
          JSON.stringify({
            resource: `${publicUrl}${described}`,
            authorization_servers: [issuer],
            bearer_methods_supported: ['header'],
            scopes_supported: SCOPES,
            resource_documentation: `${publicUrl}/v1/guides/start`,
          }),
        );
    });
  }
}
