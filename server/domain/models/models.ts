// The models that the operator has set up: asked for a turn, and listed.
//
// 1. Nothing is sent for a reference that is not allowed, whose provider is not configured, or whose options are unknown.
// 2. At most 8 calls per provider are in progress at the same time; the deadline of a call starts behind that gate.
// 3. Prompts and answers are never logged or shown in errors. A provider's messages pass through `createHide` first.
import type { LanguageModelV4GenerateResult } from '@ai-sdk/provider';
import { findLocalModels } from './find-local.ts';
import type { LocalModelServer } from '../../../shared/schemas/index.ts';
import type { Price } from '../../../shared/evaluation/index.ts';
import type { Logger } from 'pino';
import { type Clock, stopwatch } from '../../lib/clock.ts';
import { createGate, type Gate } from '../../lib/gate.ts';
import { createHttpClient, type HttpClient } from '../../lib/http-client/index.ts';
import { createScrubber } from '../../lib/scrub/index.ts';
import type { Telemetry } from '../../lib/telemetry/index.ts';
import { type TextWork, textWorkOf } from '../../lib/text-work/index.ts';
import type { LeftOutTool, ModelAnswer, ModelFault, ModelRequest, ModelTurn, RunModels } from '../../kinds/models.ts';
import { type ModelProvider, type ModelSettings, secretsOfProvider, splitReference } from '../../settings/index.ts';
import { adaptTools } from './adapted-tools.ts';
import { createAzureTokens } from './azure-tokens.ts';
import { callModel, type CallFailure } from './call.ts';
import { busy, cancelled, faultOf, notAllowed, notConfigured } from './failures.ts';
import { createListing, type Listing } from './listing/listing.ts';
import { loadModel, missingPackage, missingVariable } from './load-model.ts';
import { callOptions, sentTexts, turnOf } from './prompt.ts';
import { optionsMisfit } from './provider-options.ts';
import { callerWords, createHide, type Hide, mayTell, operatorWords, REDACTED, shownCode } from './provider-words.ts';
import { behindAlias, configuredNames, resolveModel } from './resolve.ts';
import { failingBy } from './reason-to-finish.ts';
import { guideSentence } from './guide-sentence.ts';
import { tracedCall } from './traced-call.ts';

export interface ModelsOptions {
  settings: () => ModelSettings;
  textWork: TextWork;
  clock: Clock;
  logger: Pick<Logger, 'warn'>;
  telemetry: Telemetry;
  client?: HttpClient;
}

export interface Models extends RunModels, Listing {
  /** The last sentence of the guide on reasoning functions. */
  guideSentence(): string;
  /** By reference, for a million tokens. */
  prices(): Record<string, Price>;
  /** Servers of local models that answer at the addresses of the settings. */
  findLocal(): Promise<LocalModelServer[]>;
  close(): void;
}

/** So many calls of the provider are in progress that no slot became free in time. */
class GateFull extends Error {}

const MOST_AT_ONCE = 8;
const BASE_DEADLINE_MS = 60_000;
const MS_PER_TOKEN = 25;

export function createModels({ settings, textWork, clock, logger, telemetry, ...given }: ModelsOptions): Models {
  const client = given.client ?? createHttpClient({ clock });
  /** References behind which a model refuses to stream. */
  const unstreamed = new Set<string>();
  const gates = new Map<string, Gate>();
  const azureTokens = createAzureTokens(client, clock);
  const listing = createListing({ settings, textWork, clock, client, logger });

  function gateOf({ prefix }: ModelProvider): Gate {
    const known = gates.get(prefix) ?? createGate(MOST_AT_ONCE, clock, () => new GateFull());
    gates.set(prefix, known);
    return known;
  }

  /** Tells the operator. @param status null where there was no answer */
  function warn(request: ModelRequest, { provider, fault, status, said, hint }: Told): void {
    logger.warn(
      {
        provider,
        model: request.model,
        status,
        run_id: request.runId,
        provider_message: said ?? null,
        kind: fault.kind,
        ...(hint === undefined ? {} : { hint }),
      },
      'A model call failed.',
    );
  }

  /** Once for a run. */
  function warnOfLeftOut(request: ModelRequest, { prefix }: ModelProvider, leftOut: readonly LeftOutTool[]): void {
    if (request.messages.some(({ role }) => role === 'assistant')) return;
    for (const { tool, reason } of leftOut) {
      const about = { provider: prefix, model: request.model, run_id: request.runId, tool, reason };
      logger.warn(about, 'A tool was left out of the requests to a model.');
    }
  }

  async function ask(request: ModelRequest): Promise<ModelAnswer> {
    const { signal } = request;
    const now = settings();
    const resolution = resolveModel(now, request.model);
    const prefix = splitReference(resolution.resolved)?.provider ?? '';
    const startedAt = clock.now();
    const tookMs = stopwatch(clock);
    const refuse = (fault: ModelFault, told: Omit<Told, 'fault' | 'provider'> = NOT_SENT): ModelAnswer => {
      warn(request, { provider: prefix, fault, ...told });
      const durationMs = tookMs();
      const endedAt = startedAt + durationMs;
      telemetry.done(tracedCall(request, { resolution, startedAt, endedAt, error: fault.kind }));
      return { ok: false, fault, durationMs };
    };

    if (!resolution.ok) {
      if (resolution.because === 'model_not_allowed') return refuse(notAllowed(request.model));
      return refuse(notConfigured(request.model, configuredNames(now)), { ...NOT_SENT, hint: SET_UP });
    }
    const { provider } = resolution;
    const misfit = optionsMisfit(now, provider, request.providerOptions);
    if (misfit !== undefined) return refuse(faultOf(prefix, { kind: 'definition_invalid', status: null, misfit }));
    const missing = missingVariable(provider);
    if (missing !== undefined) {
      const kind = missing.isCredential ? 'credentials_rejected' : 'provider_not_configured';
      const hint = `The provider ${prefix} needs the variable ${missing.variable} too, which is not set.`;
      return refuse(faultOf(prefix, { kind, status: null, others: othersOf(now, prefix) }), { ...NOT_SENT, hint });
    }
    const remedy = (provider.kind === 'gateway' ? provider.fault : undefined) ?? missingPackage(provider);
    if (remedy !== undefined) {
      const failure = { kind: 'provider_not_configured', status: null, remedy } as const;
      return refuse(faultOf(prefix, failure), { ...NOT_SENT, hint: remedy });
    }
    try {
      return await gateOf(provider).pass(() => send(request, now, resolution), { place: request, signal });
    } catch (error) {
      if (error instanceof GateFull) return refuse(busy(prefix, MOST_AT_ONCE));
      if (!signal.aborted || error !== signal.reason) throw error;
      const durationMs = tookMs();
      const endedAt = startedAt + durationMs;
      telemetry.done(tracedCall(request, { resolution, startedAt, endedAt, error: 'cancelled' }));
      return { ok: false, fault: cancelled(), durationMs };
    }
  }

  async function send(
    request: ModelRequest,
    now: ModelSettings,
    resolution: Extract<ReturnType<typeof resolveModel>, { ok: true }>,
  ): Promise<ModelAnswer> {
    const { provider, model } = resolution;
    const secrets = secretsOfProvider(provider);
    const adapted = await adaptTools(provider, request.tools);
    warnOfLeftOut(request, provider, adapted.leftOut);
    const leftOut = adapted.leftOut.length === 0 ? {} : { leftOut: adapted.leftOut };
    const startedAt = clock.now();
    const tookMs = stopwatch(clock);
    const called = await callModel({
      client,
      textWork: textWorkOf(request, textWork),
      clock,
      deadline: BASE_DEADLINE_MS + MS_PER_TOKEN * request.settings.maxOutputTokens,
      signal: request.signal,
      isCloud: provider.kind === 'cloud',
      ...(provider.kind === 'gateway' ? { queryParams: provider.queryParams } : {}),
      load: (fetch) =>
        loadModel(provider, model, {
          fetch,
          bodyFields: request.providerOptions[provider.prefix] ?? {},
          azureTokens,
        }),
      options: callOptions(provider, request, adapted),
      secrets,
      isStreamed: !unstreamed.has(resolution.resolved),
      onStreamRefused: () => unstreamed.add(resolution.resolved),
      ...(request.live === undefined ? {} : { live: request.live }),
    });
    const durationMs = tookMs();
    const tell = (more: { error?: string; turn?: ReturnType<typeof turnOf> }): void =>
      telemetry.done(tracedCall(request, { resolution, startedAt, endedAt: startedAt + durationMs, ...more }));

    if (called.end === 'cancelled') {
      tell({ error: 'cancelled' });
      return { ok: false, fault: cancelled(), durationMs, ...leftOut };
    }
    const hide: Hide = (text) =>
      createHide([...now.secrets, ...called.credentials], [...request.quoted, ...sentTexts(request.messages)])(text);
    if (called.end === 'failed') {
      if (provider.kind === 'cloud' && called.failure.kind === 'credentials_rejected') azureTokens.refused(provider);
      const told = toldFailure(provider, called.failure, {
        hide,
        others: othersOf(now, provider.prefix),
        request,
      });
      warn(request, told);
      tell({ error: told.fault.kind });
      return { ok: false, fault: told.fault, durationMs, ...leftOut };
    }
    const turn = turnOf(called.result, createScrubber([...secrets, ...called.credentials], REDACTED), adapted.ownCall);
    const unusable = toldEnding(provider, called.result, turn, hide);
    const fault = unusable?.fault ?? (await request.judge?.(turn));
    if (fault === undefined) {
      tell({ turn });
      return { ok: true, turn, durationMs, ...leftOut };
    }
    warn(request, { provider: provider.prefix, status: ANSWERED, ...unusable, fault });
    tell({ turn, error: fault.kind });
    return { ok: false, fault, turn, durationMs, ...leftOut };
  }

  return {
    ask,
    warningsFor({ model, provider_options: options = {} }) {
      const now = settings();
      const resolution = resolveModel(now, model);
      if (!resolution.ok) {
        const { detail } =
          resolution.because === 'model_not_allowed' ? notAllowed(model) : notConfigured(model, configuredNames(now));
        return [{ pointer: '/model', detail }];
      }
      const misfit = optionsMisfit(now, resolution.provider, options);
      return misfit === undefined ? [] : [{ pointer: '/provider_options', detail: misfit }];
    },
    resolve: (reference) => behindAlias(settings(), reference),
    list: (only) => listing.list(only),
    prices: () => Object.fromEntries(settings().prices),
    findLocal: () => findLocalModels(client, settings()),
    failureOf: (prefix) => listing.failureOf(prefix),
    guideSentence: () => guideSentence(settings()),
    close: () => client.close(),
  };
}

const ANSWERED = 200;

interface Told {
  provider: string;
  fault: ModelFault;
  status: number | null;
  said?: string;
  /** For the operator alone. */
  hint?: string;
}

const NOT_SENT = { status: null };

/** For the operator alone. */
const SET_UP =
  'To set one up, enter the key of a provider on the Models page of the studio, or set it in the environment or in the file env of the data directory, for example OPENAI_API_KEY. For your own server, add it under model_gateways in cuebook.yaml. See docs/models.md.';

function othersOf(settings: ModelSettings, prefix: string): ReturnType<typeof configuredNames> {
  const providers = settings.providers.filter((one) => one.prefix !== prefix);
  return configuredNames({ ...settings, providers });
}

function toldFailure(
  provider: ModelProvider,
  failure: CallFailure,
  { hide, others, request }: { hide: Hide; others: ReturnType<typeof othersOf>; request: ModelRequest },
): Told {
  const { prefix } = provider;
  const isTest = request.isTest === true;
  if (failure.kind === 'sent_nothing') {
    const { kind, misfit } = failure.why;
    const remedy = isTest ? '.' : '; change the definition.';
    const words = misfit === undefined ? {} : { misfit: `The model provider ${prefix} ${misfit}${remedy}` };
    const fault = faultOf(prefix, { kind, status: null, others, ...words });
    return { provider: prefix, fault, status: null, hint: `Nothing was sent: ${errorName(failure.error)}.` };
  }
  const { kind, status, body, retryAfter, cause, hint = hintOf(provider, failure), ...shown } = failure;
  const said = body.message === undefined || !mayTell(provider) ? undefined : callerWords(body.message, hide);
  const fault = faultOf(prefix, {
    kind,
    status,
    others,
    hasResults: request.messages.some(({ role }) => role === 'tool'),
    isWithinAnswer: shown.isWithinAnswer === true,
    isPage: shown.isPage === true,
    isGateway: provider.kind === 'gateway',
    isTest,
    model: request.model,
    ...(cause === undefined ? {} : { cause }),
    ...(body.code === undefined ? {} : { code: shownCode(body.code, hide) }),
    ...(said === undefined ? {} : { said }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
  return {
    provider: prefix,
    fault,
    status,
    ...ifThere(body.message ?? body.raw, (words) => ({ said: operatorWords(words, hide) })),
    ...(hint === undefined ? {} : { hint }),
  };
}

/** For the operator alone: which setting of a gateway may help. */
function hintOf(
  provider: ModelProvider,
  { cause, status }: Extract<CallFailure, { body: unknown }>,
): string | undefined {
  if (provider.kind !== 'gateway') return undefined;
  if (cause === 'json_refused') {
    return `Set structured_outputs of the gateway ${provider.prefix} to ${!provider.structuredOutputs}: it is asked for JSON by ${provider.structuredOutputs ? 'json_schema' : 'json_object'} now.`;
  }
  const isAddress = cause === 'address_wrong' || (cause === undefined && (status === 404 || status === 405));
  if (!isAddress) return undefined;
  return `Check base_url of the gateway ${provider.prefix}; /chat/completions is appended to it, and many end with /v1.`;
}

/** An answer that cannot be used, by its reason to finish. */
function toldEnding(
  { prefix }: ModelProvider,
  { finishReason, providerMetadata }: LanguageModelV4GenerateResult,
  { text, toolCalls }: Pick<ModelTurn, 'text' | 'toolCalls'>,
  hide: Hide,
): Told | undefined {
  const isEmpty = text.trim() === '' && toolCalls.length === 0;
  const failing = failingBy(finishReason, isEmpty);
  if (failing === undefined) return undefined;
  const reason = shownCode(finishReason.raw ?? finishReason.unified, hide);
  const hint = `The answer ended with ${reason}.`;
  if (failing === 'refused') {
    const fault = faultOf(prefix, { kind: 'content_refused', status: ANSWERED });
    return { provider: prefix, fault, status: ANSWERED, hint };
  }
  const ending = { reason, isCall: failing === 'call' };
  const fault = faultOf(prefix, { kind: 'provider_unavailable', status: ANSWERED, ending });
  const said = Object.values(providerMetadata ?? {}).map(({ finishMessage }) => finishMessage);
  return {
    provider: prefix,
    fault,
    status: ANSWERED,
    hint,
    ...ifThere(wordsIn(said), (words) => ({ said: operatorWords(words, hide) })),
  };
}

/** Gemini's explanation up to a colon, behind which it quotes the answer. */
function wordsIn(said: readonly unknown[]): string | undefined {
  const [words] = said.filter((one) => typeof one === 'string');
  return words?.split(/[:\n]/, 1)[0]?.trim();
}

function ifThere<T extends object>(words: string | undefined, make: (words: string) => T): T | object {
  return words === undefined || words === '' ? {} : make(words);
}

function errorName(error: unknown): string {
  return error instanceof Error ? error.name : 'an error without a name';
}
