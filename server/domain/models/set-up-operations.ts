// The operations with which a person sets up models in local mode: servers that are found, gateways, aliases, the allow
// list, and a test call.
import Type from 'typebox';
import { flag, list, object, optional, orNull, text } from '../../../shared/schemas/fields.ts';
import { LocalModelServerSchema, ModelSetUpSchema, ModelTestSchema } from '../../../shared/schemas/index.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { conflict, forbidden, invalidInput } from '../../lib/rejection.ts';
import type { Ids } from '../../kernel/ids.ts';
import { defineOperation, type Operation } from '../../operations/index.ts';
import {
  InvalidModelSetting,
  type Mode,
  PREFIX_FORM,
  type Settings,
  SettingsError,
  MODEL_KEYS,
} from '../../settings/index.ts';
import type { Models } from './models.ts';

const REFERENCE = Type.String({ minLength: 3, maxLength: 512, pattern: '^[^\\s/*]+/\\S+$' });
/** Enough for models that think before they answer. */
const TEST_TOKENS = 256;

export interface SetUpOptions {
  settings: Settings;
  models: Pick<Models, 'ask' | 'findLocal' | 'resolve'>;
  mode: Mode;
  ids: Ids;
}

const COMMON = { tag: 'Models', path: Type.Object({}), mcp: false, addition: true } as const;

export function setUpOperations({ settings, models, mode, ids }: SetUpOptions): Operation[] {
  return [
    findingOperation(models, mode),
    readingOperation(settings, mode),
    changingOperation(settings, mode),
    testingOperation({ models, mode, ids }),
  ];
}

function findingOperation(models: SetUpOptions['models'], mode: Mode): Operation {
  return defineOperation({
    ...COMMON,
    precheck: async () => refusePublished(mode),
    name: 'find_local_models',
    title: 'Find servers of local models',
    description:
      'In local mode: asks the usual addresses of Ollama and LM Studio on this machine, or those in `local_model_servers`, for their models.',
    permissions: ['org:read'],
    method: 'GET',
    route: '/model-setup/local',
    output: object({ servers: list('The servers that answered.', LocalModelServerSchema) }),
    problems: [],
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: true },
    async handle() {
      refusePublished(mode);
      return { servers: await models.findLocal() };
    },
  });
}

function readingOperation(settings: Settings, mode: Mode): Operation {
  return defineOperation({
    ...COMMON,
    precheck: async () => refusePublished(mode),
    name: 'get_model_setup',
    title: 'Get the gateways, aliases and allowed models',
    description: 'In local mode: what the configuration file says of models, without keys.',
    permissions: ['org:read'],
    method: 'GET',
    route: '/model-setup',
    output: ModelSetUpSchema,
    problems: [],
    hints: { readOnly: true, destructive: false, idempotent: true },
    async handle() {
      refusePublished(mode);
      return setUp(settings);
    },
  });
}

function changingOperation(settings: Settings, mode: Mode): Operation {
  return defineOperation({
    ...COMMON,
    precheck: async () => refusePublished(mode),
    name: 'change_model_setup',
    title: 'Add a gateway, aliases and allowed models',
    description:
      'In local mode: changes the configuration file, which keeps its comments, and uses it immediately. Settings that would not be valid are refused, and nothing is written.',
    permissions: ['org:write'],
    method: 'POST',
    route: '/model-setup',
    fields: object({
      gateway: optional(
        object('A gateway to add.', {
          name: text('The part of references before the slash.', { pattern: PREFIX_FORM.source }),
          base_url: text('Where it speaks the OpenAI Chat Completions API.', { maxLength: 2000 }),
          key_variable: optional(
            text('The environment variable that holds its key.', { pattern: '^[A-Z][A-Z0-9_]{0,99}$' }),
          ),
          structured_outputs: optional(flag('Whether it supports JSON schemas for answers.')),
          include_usage: optional(flag('Whether to request the token usage of streamed answers.')),
        }),
      ),
      aliases: optional(
        Type.Record(Type.String(), Type.Union([REFERENCE, Type.Null()]), {
          description: 'Aliases to set, by name; null removes one.',
        }),
      ),
      allowed: optional(
        orNull(
          'The only references that definitions may name; null allows every model.',
          Type.Array(REFERENCE, { minItems: 1, maxItems: 1000 }),
        ),
      ),
    }),
    output: ModelSetUpSchema,
    problems: ['conflict'],
    hints: { readOnly: false, destructive: true, idempotent: false },
    async handle(_call, { gateway, aliases, allowed }) {
      refusePublished(mode);
      const changed = { model_gateways: gateway, model_aliases: aliases, allowed_models: allowed };
      for (const [key, value] of Object.entries(changed)) {
        if (value === undefined || !settings.files.read().configFile.inVariables.includes(key)) continue;
        const variable = MODEL_KEYS[key as keyof typeof changed].variable;
        throw conflict(`The environment variable ${variable} sets ${key}; change it there, or unset it.`);
      }
      try {
        settings.files.changeConfig({
          ...(gateway === undefined ? {} : { add: { model_gateways: entryOf(gateway) } }),
          ...(aliases === undefined ? {} : { merge: { model_aliases: aliases } }),
          ...(allowed === undefined ? {} : { set: { allowed_models: allowed } }),
        });
      } catch (error) {
        if (!(error instanceof SettingsError)) throw error;
        const [field = 'gateway'] =
          Object.entries({ gateway, aliases, allowed }).find(([, value]) => value !== undefined) ?? [];
        throw invalidInput([faultOfGateway(error) ?? { pointer: `/${field}`, detail: error.message }]);
      }
      return setUp(settings);
    },
  });
}

function testingOperation({ models, mode, ids }: Omit<SetUpOptions, 'settings'>): Operation {
  return defineOperation({
    ...COMMON,
    precheck: async () => refusePublished(mode),
    name: 'test_model',
    title: 'Test a model',
    description:
      'In local mode: sends a model a short question and returns its answer, or why there is none. Providers may charge for it.',
    permissions: ['org:write'],
    method: 'POST',
    route: '/model-setup/test',
    fields: object({
      model: text('The reference, provider/model.', { minLength: 3, maxLength: 512 }),
    }),
    output: ModelTestSchema,
    problems: [],
    hints: { readOnly: true, destructive: false, idempotent: false, openWorld: true },
    async handle({ org, signal, traceId }, { model }) {
      refusePublished(mode);
      const asked = await models.ask({
        org,
        playbook: '',
        runId: ids(),
        traceId,
        model,
        messages: [{ role: 'user', text: 'Answer with the one word: ready' }],
        quoted: [],
        schema: undefined,
        tools: [],
        settings: { maxOutputTokens: TEST_TOKENS },
        providerOptions: {},
        signal,
        isTest: true,
      });
      const resolved = models.resolve(model);
      const shared = {
        model,
        ...(resolved === model ? {} : { resolved_to: resolved }),
        duration_ms: asked.durationMs,
      };
      if (!asked.ok) return { ...shared, ok: false, kind: asked.fault.kind, detail: asked.fault.detail };
      const { text: reply, tokens } = asked.turn;
      return { ...shared, ok: true, text: reply.trim().slice(0, MOST_TEXT), tokens };
    },
  });
}

/** @throws Refused `forbidden` on a published server */
function refusePublished(mode: Mode): void {
  if (mode === 'local') return;
  throw forbidden('On a published server the operator configures models in its configuration file.');
}

function setUp(settings: Settings) {
  const { providers, aliases, allowed } = settings.models();
  return {
    file: settings.files.read().configFile.path,
    gateways: providers.flatMap((one) =>
      one.kind === 'gateway' ? [{ name: one.prefix, base_url: one.baseUrl, has_key: one.apiKey !== undefined }] : [],
    ),
    aliases: Object.fromEntries(aliases.map(({ from, to }) => [from, to])),
    allowed: allowed === undefined ? null : [...allowed],
    in_variables: [...settings.files.read().configFile.inVariables],
  };
}

const MOST_TEXT = 500;

/** By member of a gateway in the configuration file: the field of the request, and what sentences call it. */
const GATEWAY_FIELDS = new Map([
  ['name', { field: 'name', title: 'name' }],
  ['base_url', { field: 'base_url', title: 'base URL' }],
  ['api_key', { field: 'key_variable', title: 'key variable' }],
]);

/** A fault of a gateway by the field of the request; undefined where it has none. */
function faultOfGateway(error: SettingsError): { pointer: string; detail: string } | undefined {
  if (!(error instanceof InvalidModelSetting)) return undefined;
  const [, member = ''] = /^model_gateways\[\d+\]\.(\w+) /.exec(error.at) ?? [];
  const field = GATEWAY_FIELDS.get(member);
  return field && { pointer: `/gateway/${field.field}`, detail: `The ${field.title} ${error.rest}` };
}

function entryOf(gateway: {
  name: string;
  base_url: string;
  key_variable?: string;
  structured_outputs?: boolean;
  include_usage?: boolean;
}): JsonObject {
  const { key_variable: variable, ...entry } = gateway;
  return {
    ...entry,
    ...(variable === undefined ? {} : { api_key: `\${${variable}}` }),
  };
}
