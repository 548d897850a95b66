// A server with a model provider on the loopback and a real stdio MCP server.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { JsonObject } from '../../shared/json.ts';
import { answerJson, bodyOf, chatAnswer } from '../domain/models/models.testing.ts';
import {
  type Answer,
  CANARY_KEY,
  CANARY_TEMPLATE,
  serveLoopback,
  startServer,
  temporaryFolder,
} from '../test/index.ts';
import { programOf } from '../domain/tools/tools.testing.ts';

type Turn = JsonObject | 'silence';

interface Provider {
  address: string;
  bodies: JsonObject[];
  /** Settles when so many requests have come. */
  asked(times: number): Promise<void>;
  /** Settles when somebody who was not answered has gone. */
  gone: Promise<void>;
}

/** Answers with one turn after the other; the last one again and again. */
export async function serveTurns(turns: readonly Turn[]): Promise<Provider> {
  const bodies: JsonObject[] = [];
  const waiting: { times: number; resolve: () => void }[] = [];
  const gone = Promise.withResolvers<void>();
  const server = await serveLoopback((request, response) => {
    void (async () => {
      const body = await bodyOf(request);
      const turn = turns[Math.min(bodies.push(body), turns.length) - 1];
      if (turn === 'silence') response.on('close', gone.resolve);
      else answerJson(response, 200, turn);
      for (const { times, resolve } of waiting) if (bodies.length >= times) resolve();
    })();
  });
  onTestFinished(() => server.close());
  return {
    address: server.address,
    bodies,
    gone: gone.promise,
    asked: (times) =>
      bodies.length >= times
        ? Promise.resolve()
        : new Promise((resolve) => void waiting.push({ times, resolve: () => resolve() })),
  };
}

export const callsTool = (name: string, args: JsonObject): JsonObject =>
  chatAnswer(
    {
      content: null,
      tool_calls: [{ id: 'call-1', type: 'function', function: { name, arguments: JSON.stringify(args) } }],
    },
    { finish_reason: 'tool_calls' },
  );

interface World {
  address: string;
  provider: Provider;
  get: (path: string) => Promise<Answer>;
  post: (path: string, body: unknown) => Promise<Answer>;
  save: (type: string, name: string, source: string) => Promise<void>;
  run: (name: string, input: JsonObject, runId?: string) => Promise<Answer>;
  record: (runId: string) => Promise<JsonObject>;
  history: (runId: string) => Promise<string[]>;
}

export const AT = '/v1/orgs/local/playbooks/desk';

/** A folder that the tool server `files` serves, and settings for it and the provider. */
export function settingsFor(provider: Provider, folder: string): Record<string, string> {
  const config = path.join(folder, 'config.yaml');
  writeFileSync(
    config,
    JSON.stringify({
      tool_servers: { files: programOf('server-filesystem', folder) },
      model_gateways: [
        { name: 'local', base_url: provider.address, api_key: '${GATEWAY_KEY}', structured_outputs: true },
      ],
    }),
  );
  return { CONFIG_FILE: config, GATEWAY_KEY: CANARY_KEY };
}

export function givenFolder(): string {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  return folder.path;
}

export async function givenServer(turns: readonly Turn[], folder = givenFolder()): Promise<World> {
  const provider = await serveTurns(turns);
  const server = await startServer({ environment: settingsFor(provider, folder) });
  onTestFinished(() => server.close());
  await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
  return {
    address: server.address,
    provider,
    get: (at) => server.get(at),
    post: (at, body) => server.post(at, body),
    save: async (type, name, source) => {
      const saved = await server.post(`${AT}/definitions/${type}`, { name, source });
      if (saved.status !== 201) throw new Error(`It was not saved: ${saved.text}`);
    },
    run: (name, input, runId) =>
      server.post(`${AT}/definitions/reasoning/${name}/run`, {
        input,
        ...(runId === undefined ? {} : { run_id: runId }),
      }),
    record: async (runId) => (await server.get(`${AT}/runs/${runId}`)).body.record,
    history: async (runId) =>
      (await server.get(`${AT}/runs/${runId}/history`)).body.events.map(({ type }: { type: string }) => type),
  };
}

export const fn = (front: string, body = `Do it for {{ input.who | default: "all" }}. ${CANARY_TEMPLATE}`): string =>
  `---\nmodel: local/m\n${front}\n---\n${body}\n`;

export const TEAM = 'output: { type: object, required: [team], properties: { team: { type: string } } }';
