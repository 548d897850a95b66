import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Json, JsonObject } from '../../../shared/json.ts';
import { temporaryFolder } from '../../test/index.ts';
import { readSettings } from '../settings.ts';
import type { ModelSettings } from './index.ts';

function given(environment: Record<string, string>, config?: JsonObject): ModelSettings {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  if (config !== undefined) writeFileSync(path.join(folder.path, 'cuebook.yaml'), JSON.stringify(config));
  return readSettings({ ...environment, DATA_DIR: folder.path }).models();
}

function refusal(environment: Record<string, string>, config?: JsonObject): string {
  try {
    given(environment, config);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('The settings were taken.');
}

const LOCAL = { name: 'local', base_url: 'http://127.0.0.1:11434/v1' };
const gateways = (entry: JsonObject): Record<string, string> => ({
  MODEL_GATEWAYS: JSON.stringify([{ ...LOCAL, ...entry }]),
});
const over = (name: string, value: Json): Record<string, string> => ({
  MODEL_GATEWAYS: JSON.stringify([LOCAL]),
  OPENAI_API_KEY: 'a-key-of-openai',
  AZURE_API_KEY: 'a-key-of-azure',
  [name]: JSON.stringify(value),
});

describe('given settings that fit', () => {
  test('providers are configured by their variables, gateways by the file or the variable, which wins', () => {
    const file = { model_gateways: [{ ...LOCAL, name: 'of-file', base_url: 'http://127.0.0.1:1/v1///' }] };
    const environment = { OPENAI_API_KEY: 'k', AWS_BEARER_TOKEN_BEDROCK: 'k', ANTHROPIC_API_KEY: '' };
    const ofFile = given(environment, file).providers;
    expect(ofFile.map(({ prefix, kind }) => `${prefix} ${kind}`)).toEqual([
      'amazon-bedrock cloud',
      'of-file gateway',
      'openai hosted',
    ]);
    expect(ofFile[1]?.baseUrl).toBe('http://127.0.0.1:1/v1');
    const both = given({ ...environment, MODEL_GATEWAYS: JSON.stringify([LOCAL]) }, file).providers;
    expect(both.map(({ prefix }) => prefix)).toEqual(['amazon-bedrock', 'local', 'openai']);
  });

  test('a gateway takes its key from a variable, in either way', () => {
    const environment = { MY_KEY: 'the-key-itself' };
    const inFile = given(environment, { model_gateways: [{ ...LOCAL, api_key: '${MY_KEY}' }] });
    const inVariable = given({ ...environment, ...gateways({ api_key_env: 'MY_KEY' }) });
    for (const { providers, secrets } of [inFile, inVariable]) {
      expect(providers[0]).toMatchObject({ apiKey: 'the-key-itself', structuredOutputs: false, includeUsage: false });
      expect(secrets).toEqual(['the-key-itself']);
    }
  });

  test('headers and parameters of a gateway are secrets, a region is none', () => {
    const { secrets } = given({
      ...gateways({ headers: { 'x-team': 'a header' }, query_params: { version: 'a parameter' } }),
      AWS_ACCESS_KEY_ID: 'an id',
      AWS_REGION: 'a region',
    });
    expect(secrets).toEqual(['an id', 'a header', 'a parameter']);
  });

  test('what is not said is no rule', () => {
    expect(given({})).toMatchObject({ providers: [], aliases: [], allowed: undefined, declared: {}, secrets: [] });
  });
});

describe('given a broken rule, then the start is stopped by a sentence', () => {
  const model = 'is gpt';
  test.each<[string, Record<string, string>, RegExp]>([
    ['no list', { MODEL_GATEWAYS: '{}' }, /MODEL_GATEWAYS is an object; it must be a list of gateways/],
    ['no JSON', { MODEL_GATEWAYS: '[' }, /MODEL_GATEWAYS is not valid; it must be JSON/],
    ['no object', { MODEL_GATEWAYS: '[1]' }, /MODEL_GATEWAYS\[0\] is a number; it must be an object/],
    ['no name', { MODEL_GATEWAYS: '[{}]' }, /MODEL_GATEWAYS\[0\]\.name is missing; it must be 1 to 32 lowercase/],
    ['a name in capitals', gateways({ name: 'Local' }), /\.name is "Local"; it must be 1 to 32 lowercase/],
    ['a long name', gateways({ name: `a${'b'.repeat(32)}` }), /\.name is "ab+"; it must be 1 to 32/],
    ['a name of a provider', gateways({ name: 'openai' }), /\.name is "openai", the name of a built-in provider/],
    ['a name twice', { MODEL_GATEWAYS: JSON.stringify([LOCAL, LOCAL]) }, /\[1\]\.name repeats "local"/],
    ['no URL', gateways({ base_url: 'localhost' }), /\.base_url is not valid; it must be an http or https URL/],
    ['a URL with a password', gateways({ base_url: 'http://a:geheim@b/' }), /^(?!.*geheim).*\.base_url is not valid/],
    [
      'an unknown field',
      gateways({ base_ur: 'x' }),
      /MODEL_GATEWAYS\[0\] has an unknown key "base_ur"; did you mean base_url/,
    ],
    [
      'two keys',
      gateways({ api_key: 'a', api_key_env: 'B' }),
      /\.api_key_env is set together with api_key; it must be the only one/,
    ],
    [
      'an unset variable',
      gateways({ api_key_env: 'UNSET' }),
      /\.api_key_env names the variable UNSET, which is not set/,
    ],
    [
      'a key for a name',
      gateways({ api_key_env: 'sk-geheim' }),
      /^(?!.*geheim).*\.api_key_env is not the name of a variable/,
    ],
    ['a key with a line', gateways({ api_key: 'gehe\nim' }), /^(?!.*gehe).*\.api_key contains a character/],
    ['headers of numbers', gateways({ headers: { a: 1 } }), /\.headers\.a is a number; it must be a string/],
    [
      'a header of its own',
      gateways({ headers: { Host: 'x' } }),
      /\.headers\.Host is a header that the request sets itself/,
    ],
    [
      'a flag in words',
      gateways({ structured_outputs: 'yes' }),
      /\.structured_outputs is a string; it must be true or false/,
    ],
    [
      'an own option',
      gateways({ allowed_provider_options: ['messages'] }),
      /\[0\] is messages, which the runtime sets itself/,
    ],
    ['an option twice', gateways({ allowed_provider_options: ['a', 'a'] }), /\[1\] repeats "a"/],
    ['a long option', gateways({ allowed_provider_options: ['a'.repeat(65)] }), /1 to 64 characters/],
    [
      'many options',
      gateways({ allowed_provider_options: Array.from({ length: 65 }, String) }),
      /has 65 names; it must be a list of at most 64/,
    ],
    [
      'an alias to nothing',
      over('MODEL_ALIASES', { 'a/b': 'c' }),
      /MODEL_ALIASES\["a\/b"\] is "c"; it must be provider\/model/,
    ],
    [
      'an alias of nothing',
      over('MODEL_ALIASES', { a: 'local/c' }),
      /the alias "a", is "a"; it must be provider\/model/,
    ],
    ['an alias of an empty side', over('MODEL_ALIASES', { '/b': 'local/c' }), /is "\/b"; it must be provider\/model/],
    ['a star on one side', over('MODEL_ALIASES', { 'a/*': 'local/c' }), /has \* on only one side/],
    [
      'a star in the middle',
      over('MODEL_ALIASES', { 'a/*b': 'local/*b' }),
      /is "a\/\*b"; it must be provider\/model; \* is only allowed at its end/,
    ],
    [
      'a chain',
      over('MODEL_ALIASES', { 'a/b': 'c/d', 'c/d': 'local/e' }),
      /\["a\/b"\] refers to "c\/d", which matches the alias "c\/d"/,
    ],
    ['a cycle', over('MODEL_ALIASES', { 'a/b': 'a/b' }), /which matches the alias "a\/b"/],
    [
      'a chain by a wildcard',
      over('MODEL_ALIASES', { 'a/b': 'c/d', 'c/*': 'local/*' }),
      /which matches the alias "c\/\*"/,
    ],
    [
      'a wildcard to an alias',
      over('MODEL_ALIASES', { 'a/*': 'c/*', 'c/d': 'local/e' }),
      /refers to "c\/\*", which matches the alias "c\/d"/,
    ],
    ['an empty allow list', over('ALLOWED_MODELS', []), /ALLOWED_MODELS is empty/],
    ['an allow list of words', over('ALLOWED_MODELS', ['local']), /\[0\] is "local", which is not a reference/],
    ['an uppercase provider', over('ALLOWED_MODELS', ['Local/x']), /whose provider has an uppercase letter/],
    ['a space', over('ALLOWED_MODELS', ['local/x y']), /contains a space or a control character/],
    ['a control character', over('ALLOWED_MODELS', ['local/x\u0007']), /contains a space or a control character/],
    [
      'a resource name',
      over('ALLOWED_MODELS', ['amazon-bedrock/arn:aws:bedrock:eu:4711:x']),
      /^(?!.*4711).*the name of a cloud resource/,
    ],
    ['an entry twice', over('ALLOWED_MODELS', ['local/a', 'local/a']), /\[1\] repeats "local\/a"/],
    [
      'an entry of nobody',
      over('ALLOWED_MODELS', ['mistral/*']),
      /\[0\] is "mistral\/\*", which no configured provider or alias has/,
    ],
    ['a star for all', over('ALLOWED_MODELS', ['*']), /\[0\] is "\*", which is not a reference/],
    [
      'declared of a hosted one',
      over('DECLARED_MODELS', { openai: [model] }),
      /DECLARED_MODELS\["openai"\] is a provider that lists its own models/,
    ],
    ['declared of nobody', over('DECLARED_MODELS', { nobody: [] }), /is neither a cloud provider nor a gateway/],
    [
      'declared with a space',
      over('DECLARED_MODELS', { azure: ['a b'] }),
      /\["azure"\]\[0\] is "a b"; it must be 1 to 256 characters/,
    ],
    [
      'declared with a star',
      over('DECLARED_MODELS', { azure: ['a*'] }),
      /\["azure"\]\[0\] is "a\*"; it must be 1 to 256/,
    ],
    ['declared twice', over('DECLARED_MODELS', { local: ['a', 'a'] }), /\["local"\]\[1\] repeats "a"/],
    [
      'a declared resource',
      over('DECLARED_MODELS', { azure: ['projects/4711/x'] }),
      /^(?!.*4711).*is the name of a cloud resource; it must be the id of a model; give the resource an alias/,
    ],
    [
      'declared by a list',
      over('DECLARED_MODELS', ['a']),
      /DECLARED_MODELS is a list; it must be an object of model ids/,
    ],
  ])('%s', (_rule, environment, sentence) => {
    expect(refusal(environment)).toMatch(/^model_settings_invalid: |unknown key/);
    expect(refusal(environment)).toMatch(sentence);
  });

  test('a literal key in the file', () => {
    const said = refusal({}, { model_gateways: [{ ...LOCAL, api_key: 'geheim' }] });
    expect(said).toMatch(
      /model_gateways\[0\]\.api_key in .* contains the key itself; it must be a reference to a variable/,
    );
    expect(said).not.toContain('geheim');
  });

  test('a base URL of a provider, and an endpoint of telemetry', () => {
    expect(refusal({ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'x' })).toMatch(/^OPENAI_BASE_URL is not a base URL/);
    for (const address of ['login.example.com', 'http://login.example.com', 'https://u:p@login.example.com']) {
      const said = refusal({ AZURE_CLIENT_SECRET: 'k', AZURE_AUTHORITY_HOST: address });
      expect(said).toMatch(/^AZURE_AUTHORITY_HOST is not an https URL/);
    }
    expect(refusal({ OTEL_EXPORTER_OTLP_ENDPOINT: 'x' })).toMatch(/^OTEL_EXPORTER_OTLP_ENDPOINT is not the base URL/);
  });
});

describe('prices', () => {
  test('are read by reference', () => {
    const prices = {
      'openai/gpt-5-mini': { input: 0.25, output: 2, cached: 0.025 },
      'local/m': { input: 0, output: 0 },
    };
    expect(Object.fromEntries(given({}, { model_prices: prices }).prices)).toEqual(prices);
    expect(Object.fromEntries(given({ MODEL_PRICES: JSON.stringify(prices) }).prices)).toEqual(prices);
    expect(given({}).prices.size).toBe(0);
  });

  test.each([
    [{ gpt: { input: 1, output: 1 } }, /a reference, provider\/model/],
    [{ 'a/*': { input: 1, output: 1 } }, /without \*/],
    [{ 'a/b': { input: 1 } }, /output in .* is missing/],
    [{ 'a/b': { input: -1, output: 1 } }, /a number that is not negative/],
    [{ 'a/b': { input: 1, output: 1, inputs: 1 } }, /unknown key "inputs"/],
    [[], /for a million tokens/],
  ])('that are not prices stop the start: %j', (prices, words) => {
    expect(refusal({}, { model_prices: prices as unknown as Json })).toMatch(words);
  });
});
