// The operations of tool servers over a real log and real settings, for tests.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pino from 'pino';
import { expect, onTestFinished } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { contentMigrations } from '../../kernel/contents/index.ts';
import { createIds } from '../../kernel/ids.ts';
import {
  createEventLog,
  logMigrations,
  openSqliteStore,
  selectReading,
  type StoredEvent,
} from '../../kernel/log/index.ts';
import { Refused, type Rejection } from '../../lib/rejection.ts';
import { compileOwnSchema, createSchemaChecker } from '../../lib/schemas/index.ts';
import { createTextWork } from '../../lib/text-work/index.ts';
import { type Caller, DEVELOPER, makeCallable } from '../../operations/index.ts';
import { createPlaybooks, playbookMigrations, playbookProjection } from '../playbooks/index.ts';
import { readSettings, type Settings } from '../../settings/index.ts';
import { refuseCanaries, temporaryFolder } from '../../test/index.ts';
import { createCallWithoutRun, Tools, toolOperations } from './index.ts';

const DESK = { org: 'local', playbook: 'desk' };

export interface ToolsTestServer {
  tools: Tools;
  settings: Settings;
  /** What the operation answers, checked against its schema. */
  ask: (operation: string, path: JsonObject, fields?: JsonObject, as?: Partial<AskOptions>) => Promise<JsonObject>;
  refusal: (operation: string, path: JsonObject, fields?: JsonObject, as?: Partial<AskOptions>) => Promise<Rejection>;
  retire: () => Promise<unknown>;
  /** What the playbook recorded, in order. */
  events: () => Promise<StoredEvent[]>;
  writeConfig: (config: JsonObject) => void;
  logged: string[];
}

interface AskOptions {
  caller: Caller;
  signal: AbortSignal;
}

/** A playbook `desk`, and these tool servers. */
export async function givenTools(
  toolServers: JsonObject,
  { environment = {}, clock = systemClock }: { environment?: Record<string, string>; clock?: Clock } = {},
): Promise<ToolsTestServer> {
  const folder = temporaryFolder();
  const writeConfig = (config: JsonObject): void =>
    writeFileSync(path.join(folder.path, 'cuebook.yaml'), JSON.stringify(config));
  writeConfig({ tool_servers: toolServers });
  const settings = readSettings({ ...environment, DATA_DIR: folder.path });
  const ids = createIds(clock);
  const store = openSqliteStore({
    file: path.join(folder.path, 'test.db'),
    migrations: [...logMigrations, ...contentMigrations, ...playbookMigrations],
    clock,
    onUnknownCommit(sentence) {
      throw new Error(sentence);
    },
  });
  const log = createEventLog({ store, projections: [playbookProjection], clock, ids });
  const playbooks = createPlaybooks(log, async () => undefined);
  await playbooks.create(DESK, { name: 'Desk', description: '' }, 'developer');
  const schemas = createSchemaChecker();
  const textWork = createTextWork();
  const logged: string[] = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => logged.push(line) });
  const tools = new Tools({ settings, mode: 'local', version: 'test', schemas, textWork, clock, logger });
  onTestFinished(async () => {
    await tools.close();
    await schemas.close();
    await textWork.close();
    await log.close();
    folder.remove();
    refuseCanaries(logged.join(''), 'the log');
  });
  const operations = toolOperations(tools, createCallWithoutRun({ tools, log, ids }), playbooks);
  const callables = new Map(operations.map((operation) => [operation.name, makeCallable(operation)]));

  const ask: ToolsTestServer['ask'] = async (name, place, fields = {}, as = {}) => {
    const callable = callables.get(name);
    if (callable === undefined) throw new Error(`There is no operation ${name}.`);
    const call = {
      caller: DEVELOPER,
      signal: new AbortController().signal,
      ...as,
      org: DESK.org,
      traceId: '0'.repeat(31).concat('1'),
      pageDefault: 20,
    };
    const full = name === 'search_in_org' ? place : { playbook: DESK.playbook, ...place };
    callable.authorize(call, full as Record<string, string>);
    const answer = await callable.execute(call, full as Record<string, string>, fields);
    if (callable.operation.answers !== 'json') throw new Error('It streams.');
    expect(compileOwnSchema(callable.operation.output as never)(answer as JsonObject, '')).toEqual([]);
    refuseCanaries(JSON.stringify(answer), `the answer of ${name}`);
    return answer as JsonObject;
  };

  return {
    tools,
    settings,
    ask,
    async refusal(...asked) {
      const answer = await ask(...asked).catch((error: unknown) => error);
      if (answer instanceof Refused) return answer.rejection;
      throw answer instanceof Error ? answer : new Error(`It was answered: ${JSON.stringify(answer)}`);
    },
    retire: () => playbooks.retire(DESK, 'developer'),
    events: () => log.read((tx) => selectReading(tx, DESK, { order: 'asc', limit: 1000 } as never)),
    writeConfig,
    logged,
  };
}

/** A program of node_modules that is an MCP server, started by the Node that runs the tests. */
export function programOf(name: string, ...args: string[]): JsonObject {
  const file = fileURLToPath(
    new URL(`../../../node_modules/@modelcontextprotocol/${name}/dist/index.js`, import.meta.url),
  );
  return { type: 'stdio', command: process.execPath, args: [file, ...args] };
}
