import { expect, onTestFinished, test, vi } from 'vitest';
import { followRun } from './follow-run.ts';

async function textsOf(...pieces: { from: number; text: string }[]): Promise<string[]> {
  const events = pieces.map((piece) => `data: ${JSON.stringify(piece)}\n\n`);
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(address);
    return new Response([': following\n\n', ...events].join(''));
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  const texts: string[] = [];
  await followRun('desk', 'one', (text) => texts.push(text), new AbortController().signal);
  expect(asked).toEqual(['/v1/orgs/local/playbooks/desk/runs/one/follow']);
  return texts;
}

test('pieces are joined to a text, and a piece at 0 starts over', async () => {
  const texts = await textsOf(
    { from: 0, text: 'Hel' },
    { from: 3, text: 'lo' },
    { from: 0, text: '' },
    { from: 0, text: 'A' },
  );
  expect(texts).toEqual(['Hel', 'Hello', '', 'A']);
});

test('given a text whose start is gone, then its end is shown after an ellipsis', async () => {
  const texts = await textsOf(
    { from: 1000, text: 'end' },
    { from: 1003, text: ' of it' },
    { from: 5000, text: 'later' },
  );
  expect(texts).toEqual(['…end', '…end of it', '…later']);
});
