import { afterAll, expect, test } from 'vitest';
import type { Sandbox } from '../../lib/sandbox/index.ts';
import { createSchemaChecker } from '../../lib/schemas/index.ts';
import type { Kind } from '../kind.ts';
import { NO_TOOLS } from '../tools.ts';
import { createComputationKind } from './index.ts';

const schemas = createSchemaChecker();
afterAll(() => schemas.close());

/** The kind with a sandbox that answers every run so. */
function givenSandbox(answer: Awaited<ReturnType<Sandbox['run']>>): { start: Kind['start'] } {
  const sandbox: Sandbox = {
    run: async () => answer,
    check: async () => 'busy',
    fold: async () => 'busy',
    tryFold: async () => 'busy',
    carryOut: async () => 'busy',
    programOf: (source) => ({ source, isStripped: false }),
    close: async () => {},
  };
  const types = { check: async () => [], checkSyntax: async () => [], close: async () => {} };
  return createComputationKind({ sandbox, types, schemas });
}

const RUN = {
  org: 'local',
  playbook: 'shop',
  runId: '01890a5d-ac96-774b-bcce-b302099a8057',
  attempt: 1,
  name: 'score',
  version: 1,
  source: 'export default () => 1;',
  input: {},
  startedAt: 0,
  depth: 0,
  signal: new AbortController().signal,
  tools: NO_TOOLS,
};

test('a run that found no worker is unavailable, and may be sent again', async () => {
  await expect(givenSandbox('busy').start(RUN)).rejects.toMatchObject({
    rejection: { reason: 'unavailable', retryAfter: expect.any(Number) },
  });
});

test('a run whose caller left has an ending all the same', async () => {
  expect(await givenSandbox('dropped').start(RUN)).toEqual({ status: 'failed', detail: 'interrupted' });
});
