import { expect, onTestFinished, test } from 'vitest';
import { createSchemaChecker } from '../../lib/schemas/index.ts';
import { readAnswer } from './output.ts';

test('an answer of more than 140,000 values is unworkable, before anything is built of it', async () => {
  const schemas = createSchemaChecker();
  onTestFinished(() => schemas.close());
  const answer = `[${'1,'.repeat(140_000)}1]`;
  expect(await readAnswer(answer, { type: 'array' }, schemas)).toMatchObject({
    ok: false,
    fault: { rejection: { reason: 'conflict', kind: 'unworkable', detail: expect.stringContaining('140000 values') } },
  });
});
