// A real server with a configuration of its own, and what people do with connections on it, for tests.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import type { Clock } from '../../lib/clock.ts';
import { type Answer, startServer, temporaryFolder, type TestServer } from '../../test/index.ts';

export const ORG = '/v1/orgs/local';
export const DESK = `${ORG}/playbooks/desk`;

export interface ConnectionsTestServer extends TestServer {
  configure: (config: JsonObject) => void;
  /** Adds a connection, which must be taken; answers its id and the token of its link. */
  add: (connection: JsonObject) => Promise<{ id: string; token: string; url: string }>;
  give: (link: { id: string; token: string }, fields: JsonObject) => Promise<Answer>;
  approve: (link: { id: string; token: string }) => Promise<Answer>;
  /** Adds a connection and gives its credential, or approves it. */
  connect: (connection: JsonObject, fields?: JsonObject) => Promise<string>;
  /** A tool of a server of the playbook `desk`. */
  tool: (
    server: string,
    tool: string,
    action: 'dry-run' | 'validate' | 'execute',
    args?: JsonObject,
  ) => Promise<Answer>;
  search: () => Promise<{ servers: JsonObject[]; tools: JsonObject[] }>;
}

export const MCP = { url: 'http://127.0.0.1:9/mcp' };
export const NONE = { kind: 'none' };
export const SECRET = { kind: 'secret', name: 'x-api-key', in: 'header' };

export async function givenServer(
  options: { config?: JsonObject; environment?: Record<string, string>; clock?: Clock } = {},
): Promise<ConnectionsTestServer> {
  const folder = temporaryFolder();
  const file = path.join(folder.path, 'config.yaml');
  const configure = (config: JsonObject): void => writeFileSync(file, JSON.stringify(config));
  configure(options.config ?? {});
  const { clock, environment } = options;
  const server = await startServer({
    environment: { ...environment, CONFIG_FILE: file },
    ...(clock === undefined ? {} : { clock }),
  });
  onTestFinished(async () => {
    await server.close();
    folder.remove();
  });
  await server.post(`${ORG}/playbooks`, { playbook: 'desk', name: 'Desk' });

  async function add(connection: JsonObject) {
    const added = await server.post(`${ORG}/connections`, connection);
    if (added.status !== 201) throw new Error(`It was not added: ${added.text}`);
    const { id, connect } = added.body as { id: string; connect: { url: string } };
    return { id, token: new URL(connect.url).searchParams.get('token') ?? '', url: connect.url };
  }
  const give: ConnectionsTestServer['give'] = ({ id, token }, fields) =>
    server.post(`${ORG}/connections/${id}/credential`, { token, ...fields });
  const approve: ConnectionsTestServer['approve'] = ({ id, token }) =>
    server.post(`${ORG}/connections/${id}/approve`, { token });

  return {
    ...server,
    configure,
    add,
    give,
    approve,
    async connect(connection, fields) {
      const link = await add(connection);
      const answer = await (fields === undefined ? approve(link) : give(link, fields));
      if (answer.body.status !== 'connected') throw new Error(`It was not connected: ${answer.text}`);
      return link.id;
    },
    tool: (name, tool, action, args) =>
      server.post(
        `${DESK}/tool-servers/${name}/tools/${tool}/${action}`,
        args === undefined ? {} : { arguments: args },
      ),
    search: async () => (await server.get(`${DESK}/tool-servers/search`)).body,
  };
}
