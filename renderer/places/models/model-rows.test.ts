import { expect, test } from 'vitest';
import type { ModelEntry } from '../../../shared/api/index.ts';
import { modelRows, tokenWords } from './model-rows.ts';

const model = (id: string, more: Partial<ModelEntry> = {}): ModelEntry => ({
  id,
  provider: id.split('/')[0] ?? '',
  model: id.slice(id.indexOf('/') + 1),
  ...more,
});
const MODELS = [
  model('openai/gpt-5', { name: 'GPT five' }),
  model('local/llama'),
  model('team/fast', { alias: true, resolved_to: 'openai/gpt-5' }),
  model('openai/o9'),
];
const shown = (filters: Parameters<typeof modelRows>[1]): string[] =>
  modelRows(MODELS, filters).map((row) => (row.kind === 'head' ? `${row.provider}: ${row.count}` : row.model.id));

test('each provider has a heading, followed by its models', () => {
  expect(shown({})).toEqual([
    'local: 1',
    'local/llama',
    'openai: 2',
    'openai/gpt-5',
    'openai/o9',
    'team: 1',
    'team/fast',
  ]);
});

test('the search needs every word in the reference, the name or the target of an alias', () => {
  expect(shown({ q: ' GPT five ' })).toEqual(['openai: 1', 'openai/gpt-5']);
  expect(shown({ q: 'gpt' })).toEqual(['openai: 1', 'openai/gpt-5', 'team: 1', 'team/fast']);
  expect(shown({ q: 'gpt', provider: 'team' })).toEqual(['team: 1', 'team/fast']);
  expect(shown({ q: 'nothing' })).toEqual([]);
});

test.each([
  [512, '512'],
  [8192, '8,192'],
  [128_000, '128k'],
  [1_048_576, '1M'],
  [2_500_000, '2.5M'],
])('%i tokens are %s', (tokens, words) => {
  expect(tokenWords(tokens)).toBe(words);
});
