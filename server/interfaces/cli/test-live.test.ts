import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CommandLine, createCommandLine } from './cuebook.testing.ts';

const REASONING = `---
model: openai/gpt-5-mini
examples: [{ name: a greeting, input: { name: Ada } }]
---
Greet {{ input.name }}.
`;

let line: CommandLine;
beforeEach(() => {
  line = createCommandLine();
});
afterEach(() => line.remove());

test('examples of reasoning functions are rendered; with --live they need a model that answers', async () => {
  const desk = line.writePlaybook({ 'greet.reasoning.md': REASONING });
  const env = { OPENAI_API_KEY: '' };
  expect(await line.cuebook(['test', desk], { env })).toMatchObject({ code: 0 });
  const live = await line.cuebook(['test', desk, '--live'], { env });
  expect(live).toMatchObject({ code: 1, stdout: expect.stringContaining('FAIL reasoning/greet: a greeting') });
}, 60_000);
