// What docs/teams.md tells operators to watch is there under these names. Skipped without a PostgreSQL: `npm run test:postgres`
// starts one.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ALL_PERMISSIONS } from '../../shared/permissions.ts';
import { makeKey } from '../interfaces/permissions.testing.ts';
import { ask, POSTGRES_FOR_TESTS } from '../kernel/log/postgres/testing.ts';
import { randomHex } from '../lib/random.ts';
import { createTestClient, serveLoopback, startServerProcess, temporaryFolder } from '../test/index.ts';

const PAGE = readFileSync(new URL('../../docs/teams.md', import.meta.url), 'utf8');
/** The section up to the next one. */
const MONITORING = /\n### Monitoring\n(?<section>[\s\S]*?)\n### /.exec(PAGE)?.groups?.['section'] ?? '';
const DOCUMENTED = [...MONITORING.matchAll(/^\| (?<names>`[^|]+`) \|/gm)].flatMap(({ groups }) =>
  [...(groups?.['names'] ?? '').matchAll(/`(?<name>[^`]+)`/g)].map((found) => found.groups?.['name'] ?? ''),
);
const RULES = /```yaml\n(?<rules>[\s\S]*?)```/.exec(MONITORING)?.groups?.['rules'] ?? '';
const PREFIXES = ['store.', 'tasks.', 'views.'];

interface Exported {
  resourceMetrics: {
    resource: { attributes: { key: string; value: { stringValue?: string } }[] };
    scopeMetrics: { metrics: { name: string; unit?: string; gauge?: object; sum?: object }[] }[];
  }[];
}

/** As the exporters for Prometheus name a metric: the unit is added, if it is not an annotation, and `_total` to a counter. */
function prometheusName({ name, unit = '', sum }: { name: string; unit?: string; sum?: object }): string {
  const units: Record<string, string> = { s: '_seconds', '1': sum === undefined ? '_ratio' : '' };
  return `${name.replaceAll('.', '_')}${units[unit] ?? ''}${sum === undefined ? '' : '_total'}`;
}

describe.runIf(POSTGRES_FOR_TESTS !== undefined)('what an operator watches', () => {
  const folder = temporaryFolder();
  const schema = `test_${randomHex(8)}`;
  const ada = makeKey('ada', ALL_PERMISSIONS);
  const exported: Exported[] = [];
  let logged: Record<string, unknown>[];
  let traceId: string | null;
  let recorded: string[];

  beforeAll(async () => {
    async function collect(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const body = await text(request);
      if (request.url === '/v1/metrics') exported.push(JSON.parse(body) as Exported);
      response.setHeader('content-type', 'application/json').end('{}');
    }
    const collector = await serveLoopback((request, response) => void collect(request, response));
    const server = await startServerProcess(folder.path, {
      environment: {
        DATABASE_URL: POSTGRES_FOR_TESTS ?? '',
        DATABASE_SCHEMA: schema,
        SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
        API_KEYS: JSON.stringify([ada.entry]),
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.address,
        LOG_LEVEL: 'info',
      },
    });
    const client = await createTestClient(server.address);
    await client.post('/v1/orgs/acme/playbooks', { playbook: 'desk', name: 'Desk' }, ada.header);
    const event = { source: '/desk', type: 'bell.rung' };
    const published = await client.post('/v1/orgs/acme/playbooks/desk/events', { event }, ada.header);
    traceId = published.headers.get('x-trace-id');
    const events = await client.get('/v1/orgs/acme/playbooks/desk/events?type=event_published', ada.header);
    recorded = events.body.events.map(({ metadata }: { metadata: { trace_id: string } }) => metadata.trace_id);
    // What is measured is also sent when the server stops.
    await server.end('SIGTERM');
    await collector.close();
    logged = server
      .stderr()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }, 60_000);
  afterAll(async () => {
    await ask(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
    folder.remove();
  });

  const metrics = () =>
    exported.flatMap(({ resourceMetrics }) =>
      resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics)),
    );

  test('the metrics of the page are those that a server exports', () => {
    expect(DOCUMENTED.length).toBeGreaterThan(5);
    const names = new Set(metrics().map(({ name }) => name));
    expect([...names].filter((name) => PREFIXES.some((prefix) => name.startsWith(prefix))).toSorted()).toEqual(
      DOCUMENTED.toSorted(),
    );
  });

  test('the alerts of the page use names that Prometheus gives to these metrics', () => {
    const { groups } = parse(RULES) as { groups: { rules: { alert: string; expr: string; for: string }[] }[] };
    const used = groups.flatMap(({ rules }) =>
      rules.map(({ expr }) => /(?:max\()?(?<name>\w+)\)? [<=>]/.exec(expr)?.groups?.['name']),
    );
    expect(used.length).toBeGreaterThan(2);
    const names = new Set(metrics().map(prometheusName));
    expect(used.filter((name) => name === undefined || !names.has(name))).toEqual([]);
  });

  test.skipIf(spawnSync('promtool', ['--version']).status !== 0)('Prometheus takes the alerts of the page', () => {
    const file = path.join(folder.path, 'rules.yaml');
    writeFileSync(file, RULES);
    const { status, stderr, stdout } = spawnSync('promtool', ['check', 'rules', file], { encoding: 'utf8' });
    expect(status, stderr + stdout).toBe(0);
  });

  test('each server is an instance of its own', () => {
    const [first] = exported;
    const attributes = first?.resourceMetrics[0]?.resource.attributes ?? [];
    const instance = attributes.find(({ key }) => key === 'service.instance.id')?.value.stringValue;
    expect(instance).toMatch(/^.+:\d+$/);
  });

  test('the line of a request, its response and its events have the same trace id', () => {
    expect(traceId).toMatch(/^[0-9a-f]{32}$/);
    const line = logged.find(({ operation }) => operation === 'publish_event');
    expect(line).toMatchObject({ trace_id: traceId, status: expect.any(Number), caller: 'key:ada' });
    expect(recorded).toEqual([traceId]);
  });
});
