import { type JSONRPCMessage, Server, type Transport } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import { createQuestions } from './questions.ts';

test('an answer reaches the call that asked, from its own caller, once, while it is in progress', async () => {
  const questions = createQuestions();
  const sent: JSONRPCMessage[] = [];
  const transport = (): Transport => ({
    start: async () => {},
    send: async (message) => void sent.push(message),
    async close() {
      this.onclose?.();
    },
  });
  const asking = (): Server => questions.allow(new Server({ name: 'asks', version: '1' }, {}), 'key:ada');
  const [one, other] = [asking(), asking()];
  await Promise.all([one.connect(transport()), other.connect(transport())]);
  const asked = Promise.all([one.ping(), other.ping()]);
  const answers = sent.map(
    (message): JsonObject => ({ jsonrpc: '2.0', id: (message as { id: string }).id, result: {} }),
  );
  expect(new Set(answers.map(({ id }) => id)).size).toBe(2);
  for (const answer of answers) {
    expect(questions.answer(answer, 'key:eve')).toBe(false);
    expect([questions.answer(answer, 'key:ada'), questions.answer(answer, 'key:ada')]).toEqual([true, false]);
  }
  await asked;

  const left = one.ping();
  const late: JsonObject = { jsonrpc: '2.0', id: (sent.at(-1) as { id: string }).id, result: {} };
  await Promise.all([one.close(), expect(left).rejects.toThrow(/closed/i)]);
  expect(questions.answer(late, 'key:ada')).toBe(false);
  await other.close();
});
