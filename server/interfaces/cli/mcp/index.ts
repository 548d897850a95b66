// `cuebook mcp`: MCP over standard input and output, for agents that start their servers themselves.
import { Console } from 'node:console';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Server } from '@modelcontextprotocol/server';
import { instructions } from '../../mcp/index.ts';
import { readDataDir } from '../../../settings/index.ts';
import { VERSION } from '../../../runtime/version.ts';
import { type ClientOptions, originOf } from '../attach.ts';
import { createClient } from '../client.ts';
import { credentialFor, environmentKey } from '../credential.ts';
import { progress } from '../output.ts';
import { checkEndpoint } from '../require-playbook.ts';
import { onStopRequest } from '../stop-request.ts';
import { createBridge } from './bridge.ts';
import { findOrStartRuntime } from './start-runtime.ts';
import { createUpstream } from './upstream.ts';

export interface McpOptions extends ClientOptions {
  playbook?: string | undefined;
  /** Offer only read-only tools. */
  read?: boolean | undefined;
}

/** Serves one session until standard input ends. Only protocol messages go to standard output. */
export async function mcp(options: McpOptions): Promise<void> {
  // Keep console output away from standard output, which is for protocol messages.
  globalThis.console = new Console(process.stderr);
  const { org, playbook, read: readOnly = false } = options;
  const findRuntime = runtimeFinder(options);
  const servers = new Set<Server>();
  const credential = options.server === undefined ? environmentKey : credentialFor(originOf(options.server), options);
  const upstream = createUpstream({
    async locate() {
      const address = await findRuntime();
      const client = createClient(address, credential);
      await checkEndpoint(client, credential, { org, playbook });
      const path = playbook === undefined ? endpointOf(org) : endpointOfPlaybook(org ?? (await client.org()), playbook);
      return new URL(`${address}${path}${readOnly ? '?tools=read' : ''}`);
    },
    credential,
    // The session may have ended.
    toolsChanged: () => servers.forEach((server) => void server.sendToolListChanged().catch(() => {})),
  });
  const words = instructions({ playbook, readOnly });
  // The runtime starts while the client initializes.
  void findRuntime().catch(() => {});

  let handle: { close: () => Promise<void> } | undefined;
  await new Promise<void>((resolve) => {
    handle = serveStdio(
      ({ era }) => {
        const server = createBridge({ upstream, version: VERSION, instructions: words, progress }, era === 'modern');
        servers.add(server);
        return server;
      },
      { onerror: (error) => progress(error.message) },
    );
    process.stdin.once('close', resolve);
    process.stdin.once('end', resolve);
    onStopRequest(resolve);
  });
  await handle?.close();
  await upstream.close();
}

function endpointOfPlaybook(org: string, playbook: string): string {
  return `/orgs/${encodeURIComponent(org)}/playbooks/${encodeURIComponent(playbook)}/mcp`;
}

/** Without an org, the endpoint of the org of the key. */
function endpointOf(org: string | undefined): string {
  return org === undefined ? '/mcp' : `/orgs/${encodeURIComponent(org)}/mcp`;
}

/** One search at a time: a session sends several requests concurrently. */
function runtimeFinder({ server, dataDir }: McpOptions): () => Promise<string> {
  if (server !== undefined) {
    const origin = originOf(server);
    return async () => origin;
  }
  const folder = readDataDir(process.env, { dataDir });
  let going: Promise<string> | undefined;
  return () => {
    going ??= findOrStartRuntime(folder).finally(() => {
      going = undefined;
    });
    return going;
  };
}
