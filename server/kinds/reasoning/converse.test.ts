import { expect, onTestFinished, test } from 'vitest';
import { createSchemaChecker } from '../../lib/schemas/index.ts';
import type { RunModels } from '../models.ts';
import { NO_TOOLS, type RunTools } from '../tools.ts';
import { type Conversation, converse } from './converse.ts';
import { readAnswer } from './output.ts';
import { createRecorder } from './record.ts';

const ASKS = {
  reported: 'm',
  finishReason: 'tool-calls',
  text: '',
  toolCalls: [{ id: 'call-1', tool: 'files__write', arguments: '{}' }],
  raw: [],
  tokens: { input: 1, output: 1, cached: 0 },
  ignored: [],
};
const WRITE = { server: 'files', tool: 'write', description: '', inputSchema: () => ({}), readOnly: false };

test('a caller who leaves before a call is sent leaves a run that called nothing', async () => {
  const leaving = new AbortController();
  const models = { ask: async () => ({ ok: true, turn: ASKS, durationMs: 1 }) } as unknown as RunModels;
  const tools: RunTools = {
    ...NO_TOOLS,
    call: async () => {
      leaving.abort();
      return undefined;
    },
  };
  const offered = { tools: [{ name: 'files__write', description: '', inputSchema: {} }], find: () => WRITE };
  const request = { signal: leaving.signal, quoted: [] } as unknown as Conversation['request'];
  const recorder = createRecorder('local/m', 'local/m');
  const result = await converse({ models, tools, offered, recorder, request, messages: [], maxSteps: 2 });
  expect(result).toEqual({ end: 'failed', detail: 'interrupted' });
});

test('an answer of more than 140,000 values is unworkable, before anything is built of it', async () => {
  const schemas = createSchemaChecker();
  onTestFinished(() => schemas.close());
  const answer = `[${'1,'.repeat(140_000)}1]`;
  expect(await readAnswer(answer, { type: 'array' }, schemas)).toMatchObject({
    ok: false,
    fault: { rejection: { reason: 'conflict', kind: 'unworkable', detail: expect.stringContaining('140000 values') } },
  });
});
