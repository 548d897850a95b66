// The services of compose.yaml while they are up: their containers, and requests through their proxy.
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import type { JsonObject } from '../../shared/json.ts';
import type { Engine } from './engine.ts';

export type Service = 'cuebook-1' | 'cuebook-2' | 'postgres' | 'proxy';

export interface Services {
  /** What a command in a container prints. */
  exec(service: Service, ...command: string[]): string;
  kill(service: Service): void;
  start(service: Service): void;
  /** Sends SIGTERM, and returns the exit code. */
  stop(service: Service): number;
  /** Sends a request to the proxy. */
  request(
    method: string,
    route: string,
    body?: JsonObject,
    isWithKey?: boolean,
  ): Promise<{ status: number; body: JsonObject }>;
  /** The answer to a request. @throws Error if it is refused */
  accept(method: string, route: string, body?: JsonObject): Promise<JsonObject>;
  /** Waits until both servers and the proxy are healthy. */
  whenHealthy(): Promise<void>;
  until(condition: () => Promise<boolean>): Promise<void>;
}

interface Access {
  /** The name in the certificate. */
  host: string;
  /** Of this machine. */
  port: number;
  key: string;
}

const PATIENCE = 90_000;

export function createServices(engine: Engine, project: string, { host, port, key }: Access): Services {
  const containerOf = (service: Service): string => {
    const labels = { project, service };
    const filters = Object.entries(labels).flatMap(([name, value]) => [
      '--filter',
      `label=com.docker.compose.${name}=${value}`,
    ]);
    return engine.read('ps', '--all', '--quiet', ...filters);
  };
  const exec: Services['exec'] = (service, ...command) => engine.read('exec', containerOf(service), ...command);
  /** Made by the proxy at its first start. */
  const authority = (): string => exec('proxy', 'cat', '/data/caddy/pki/authorities/local/root.crt');

  const request: Services['request'] = async (method, route, body, isWithKey = true) => {
    const sent = httpsRequest({
      host: '127.0.0.1',
      port,
      servername: host,
      ca: authority(),
      path: route,
      method,
      agent: false,
      headers: {
        host,
        ...(isWithKey ? { authorization: `Bearer ${key}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
    });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.on('response', resolve).on('error', reject);
    });
    const received = await text(answer);
    const isJson = answer.headers['content-type']?.includes('json') === true;
    return { status: answer.statusCode ?? 0, body: isJson ? (JSON.parse(received) as JsonObject) : {} };
  };

  async function until(condition: () => Promise<boolean>): Promise<void> {
    const end = Date.now() + PATIENCE;
    for (;;) {
      try {
        if (await condition()) return;
      } catch (error) {
        if (Date.now() > end) throw error;
      }
      if (Date.now() > end) throw new Error(`Not so within ${PATIENCE / 1000} seconds: ${String(condition)}`);
      await wait(500);
    }
  }

  /** Podman checks by itself only where systemd runs its timers. */
  function isHealthy(service: Service): boolean {
    const id = containerOf(service);
    if (engine.name === 'docker')
      return engine.read('inspect', '--format', '{{.State.Health.Status}}', id) === 'healthy';
    engine.run('healthcheck', 'run', id);
    return true;
  }

  return {
    exec,
    request,
    until,
    kill: (service) => engine.run('kill', containerOf(service)),
    start: (service) => engine.run('start', containerOf(service)),
    stop(service) {
      const id = containerOf(service);
      engine.run('stop', '-t', '30', id);
      return Number(engine.read('inspect', '--format', '{{.State.ExitCode}}', id));
    },
    async accept(method, route, body) {
      const answer = await request(method, route, body);
      if (answer.status >= 300) throw new Error(`${method} ${route}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body;
    },
    async whenHealthy() {
      for (const service of ['cuebook-1', 'cuebook-2'] as const) await until(async () => isHealthy(service));
      await until(async () => (await request('GET', '/health')).status === 200);
    },
  };
}
