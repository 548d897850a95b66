import { describe, expect, test } from 'vitest';
import type { ModelSettings } from '../../settings/index.ts';
import { guideSentence } from './guide-sentence.ts';
import { resolveModel } from './resolve.ts';

const gateway = (prefix: string): ModelSettings['providers'][number] => ({
  kind: 'gateway',
  prefix,
  baseUrl: 'http://127.0.0.1:1',
  apiKey: undefined,
  headers: {},
  queryParams: {},
  structuredOutputs: false,
  includeUsage: false,
  exposesMessages: false,
  allowedOptions: [],
});

const SETTINGS: ModelSettings = {
  providers: [gateway('local'), gateway('other')],
  aliases: [
    { from: 'team/*', to: 'local/short-*' },
    { from: 'team/big/*', to: 'other/long-*' },
    { from: 'team/fast', to: 'local/exact' },
    { from: 'away/x', to: 'nowhere/y' },
  ],
  allowed: undefined,
  unset: [],
  declared: {},
  prices: new Map(),
  localServers: [],
  secrets: [],
};

describe('given aliases, then the exact one applies, else the one with the longest prefix', () => {
  test.each([
    ['team/fast', 'local/exact'],
    ['team/x', 'local/short-x'],
    ['team/big/x', 'other/long-x'],
    ['team/big/', 'local/short-big/'],
    ['local/a/b', 'local/a/b'],
  ])('%s is %s', (reference, resolved) => {
    expect(resolveModel(SETTINGS, reference)).toMatchObject({ ok: true, resolved });
  });

  test('the text after the first slash is passed on unchanged', () => {
    expect(resolveModel(SETTINGS, 'local/a/b:c@d')).toMatchObject({ provider: { prefix: 'local' }, model: 'a/b:c@d' });
  });

  test.each(['team/', 'nobody/x', 'away/x'])('%s leads to no configured provider', (reference) => {
    expect(resolveModel(SETTINGS, reference)).toMatchObject({ ok: false, because: 'provider_not_configured' });
  });
});

describe('given an allow list', () => {
  test.each<[string[], string, boolean]>([
    [['team/fast'], 'team/fast', true],
    [['local/exact'], 'team/fast', true],
    [['team/fast'], 'local/exact', false],
    [['local/*'], 'local/exact', true],
    [['local/*'], 'team/fast', true],
    [['local/ex*'], 'local/ex', false],
    [['other/*'], 'team/fast', false],
    [['team/*'], 'team/big/x', true],
  ])('%j: %s is allowed: %s', (allowed, reference, isAllowed) => {
    const resolution = resolveModel({ ...SETTINGS, allowed }, reference);
    expect(resolution.ok || resolution.because !== 'model_not_allowed').toBe(isAllowed);
  });
});

describe('the last sentence of the guide', () => {
  test.each<[Partial<ModelSettings>, string]>([
    [
      {},
      'On this server a definition may name models of `local` and `other` and the aliases `team/*` (whatever begins with `team/`), `team/big/*` (whatever begins with `team/big/`) and `team/fast`.',
    ],
    [{ providers: [] }, 'No model provider is configured on this server, so no reasoning function can run.'],
    [
      { allowed: ['other/x', 'team/fast'] },
      'On this server a definition may name models of `other` and the aliases `team/*` (whatever begins with `team/`) and `team/fast`; list_models shows which of them are allowed.',
    ],
  ])('%#', (settings, sentence) => {
    expect(guideSentence({ ...SETTINGS, ...settings })).toBe(sentence);
  });
});
