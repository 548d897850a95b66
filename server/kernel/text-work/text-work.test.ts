import { expect, onTestFinished, test } from 'vitest';
import { createTextWork, type TextWork } from './index.ts';

function givenTextWork(): TextWork {
  const textWork = createTextWork();
  onTestFinished(() => textWork.close());
  return textWork;
}

test('jobs are carried out, each with its own answer', async () => {
  const textWork = givenTextWork();
  const answers = await Promise.all([1, 2, 3].map((n) => textWork.carryOut('parseYaml', `a: ${n}`)));
  expect(answers).toEqual([1, 2, 3].map((n) => ({ ok: true, value: { a: n } })));
});

test('closing refuses what is under way and what comes later', async () => {
  const textWork = givenTextWork();
  const underWay = textWork.carryOut('parseYaml', 'a: 1').then(String, String);
  await textWork.close();
  expect(await underWay).toContain('stopping');
  await expect(textWork.carryOut('parseYaml', 'a: 1')).rejects.toThrow('stopping');
});
