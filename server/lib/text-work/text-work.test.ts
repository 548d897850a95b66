import { expect, onTestFinished, test } from 'vitest';
import { READ_SOURCE } from '../yaml/index.ts';
import { createTextWork, type TextWork } from './index.ts';

const SOURCE = { source: 'a: 1', otherwise: '' };

function givenTextWork(): TextWork {
  const textWork = createTextWork();
  onTestFinished(() => textWork.close());
  return textWork;
}

test('jobs run, each with its own answer', async () => {
  const textWork = givenTextWork();
  const answers = await Promise.all(
    [1, 2, 3].map((n) => textWork.run(READ_SOURCE, { source: `a: ${n}`, otherwise: '' })),
  );
  expect(answers).toMatchObject([1, 2, 3].map((n) => ({ ok: true, value: { a: n } })));
});

test('closing refuses what is under way and what comes later', async () => {
  const textWork = givenTextWork();
  const underWay = textWork.run(READ_SOURCE, SOURCE).then(String, String);
  await textWork.close();
  expect(await underWay).toContain('stopping');
  await expect(textWork.run(READ_SOURCE, SOURCE)).rejects.toThrow('stopping');
});

test('jobs of one playbook do not hold up those of another', async () => {
  const textWork = givenTextWork();
  const lines = Array.from({ length: 500 }, (_, index) => `line ${index}: ${index}`);
  const long = { source: lines.join('\n'), otherwise: '' };
  const readFor = (playbook: string) => textWork.run(READ_SOURCE, long, { org: 'local', playbook });
  await readFor('busy');
  let done = 0;
  const busy = Array.from({ length: 100 }, async () => {
    await readFor('busy');
    done += 1;
  });
  await readFor('quiet');
  const doneBefore = done;
  await Promise.all(busy);
  // A playbook without any job yet counts as one that will use 100 ms, which is a small part of the others' time.
  expect(doneBefore).toBeLessThan(75);
});
