// Attempts of a kind that is held where its work begins, over a real store.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFINITION_TYPES, type DefinitionType } from '../../../shared/definition-types.ts';
import { openLog } from '../../open-stores.ts';
import { createDefinitions, createRunnables } from '../definitions/index.ts';
import { createLogger } from '../../test/durability/parts.testing.ts';
import { createFakeClock } from '../../lib/clock.ts';
import { createIds } from '../../kernel/ids.ts';
import type { EventLog } from '../../kernel/log/index.ts';
import { createSchemaChecker, type SchemaChecker } from '../../lib/schemas/index.ts';
import { createStopping } from '../../kernel/stopping.ts';
import { createTextWork } from '../../lib/text-work/index.ts';
import type { Kind } from '../../kinds/kind.ts';
import { createPlaybooks } from '../playbooks/index.ts';
import { readSettings } from '../../settings/index.ts';
import { temporaryFolder } from '../../test/index.ts';
import { createTools } from '../tools/index.ts';
import { type Attempts, createAttempts } from './attempts.ts';
import { createRecording } from './durable/recording.ts';

const PLACE = { org: 'local', playbook: 'desk' };
const ECHO = { ...PLACE, type: 'computation', name: 'echo' } as const;

const clock = createFakeClock();
const folder = temporaryFolder();
let log: EventLog;
let schemas: SchemaChecker;

beforeAll(async () => {
  schemas = createSchemaChecker();
  log = openLog(readSettings({ DATA_DIR: folder.path }), clock, (sentence) => expect.fail(sentence));
  await createPlaybooks(log, async () => {}).create(PLACE, { name: 'Desk', description: '' }, 'developer');
  await createDefinitions(log, byType(kindOf(async () => 0)), []).create(ECHO, '', 'developer');
});
afterAll(async () => {
  await Promise.all([log.close(), schemas.close()]);
  folder.remove();
});

/** Answers what the work comes to, which is told when nobody wants it any more. */
function kindOf(work: (signal: AbortSignal) => Promise<number>): Kind {
  return {
    type: 'computation',
    traits: {},
    check: async () => ({
      ok: true,
      document: { examples: [], expose: false, overview: '', references: [], warnings: [] },
    }),
    start: async ({ signal }) => ({ status: 'succeeded', output: await work(signal), record: {} }),
  };
}

const noMove = async (): Promise<never> => expect.fail('The kind decides nothing.');

function byType(kind: Kind): Record<DefinitionType, Kind> {
  return Object.fromEntries(DEFINITION_TYPES.map((type) => [type, kind])) as Record<DefinitionType, Kind>;
}

function attemptsOf(kind: Kind): Attempts {
  const logger = createLogger((error) => expect.fail(String(error)));
  const settings = { toolServers: () => [] };
  return createAttempts({
    log,
    kinds: byType(kind),
    schemas,
    tools: createTools({
      settings,
      mode: 'local',
      version: 'test',
      schemas,
      textWork: createTextWork(),
      clock,
      logger,
    }),
    record: createRecording({
      log,
      ids: createIds(clock),
      carryOut: noMove,
      waits: { put: noMove, opened: noMove, dropped: noMove },
    }),
    runnableOf: createRunnables(),
    tellWaiter: async () => {},
    holder: 'start-1',
    logger,
    clock,
    stopping: createStopping(clock),
  });
}

test.each([
  ['a run whose caller leaves goes on to its ending', {}, false],
  ['and is interrupted where its kind ends with its caller', { traits: { endsWithCaller: true } }, true],
] as const)('%s', async (_name, traits, isInterrupted) => {
  const [begun, goOn] = [Promise.withResolvers<AbortSignal>(), Promise.withResolvers<number>()];
  const held = kindOf((signal) => {
    begun.resolve(signal);
    return goOn.promise;
  });
  const caller = new AbortController();
  const request = { ...ECHO, runId: undefined, input: {}, by: 'developer', signal: caller.signal };
  const run = attemptsOf({ ...held, ...traits }).carryOut(request, crypto.randomUUID());
  const signal = await begun.promise;
  caller.abort();
  expect(signal.aborted).toBe(isInterrupted);
  goOn.resolve(7);
  expect(await run).toMatchObject({ status: 'succeeded', output: 7 });
});
