// The models that the operator has set up: asked for a turn, and listed.
//
// 1. Nothing is sent for a reference that is not allowed, whose provider is not configured, or whose options are unknown.
// 2. At most 8 calls per provider are in progress at the same time; the deadline of a call starts behind that gate.
// 3. Prompts and answers are never logged or shown in errors. A provider's messages pass through `createHide` first.
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
import type { LeftOutTool, ModelAnswer, ModelFault, ModelRequest, RunModels } from '../../kinds/models.ts';
import { type ModelProvider, type ModelSettings, secretsOfProvider, splitReference } from '../../settings/index.ts';
import { adaptTools } from './adapted-tools.ts';
import { type AzureTokens, createAzureTokens } from './azure-tokens.ts';
import { callModel } from './call.ts';
import { ANSWERED, type FailureReport, othersOf, reportOfEnding, reportOfFailure } from './failure-report.ts';
import { busy, cancelled, faultOf, notAllowed, notConfigured } from './failures.ts';
import { createListing, type Listing } from './listing/listing.ts';
import { loadModel, missingPackage, missingVariable } from './load-model.ts';
import { callOptions, sentTexts, turnOf } from './prompt.ts';
import { optionsMisfit } from './provider-options.ts';
import { createHide, type Hide, REDACTED } from './provider-words.ts';
import { behindAlias, configuredNames, resolveModel } from './resolve.ts';
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

/** So many calls of the provider are in progress that no slot became free in time. */
class GateFull extends Error {}

const MOST_CONCURRENT = 8;
const BASE_DEADLINE_MS = 60_000;
const MS_PER_TOKEN = 25;

export class Models implements RunModels, Listing {
  readonly #options: ModelsOptions;
  readonly #client: HttpClient;
  /** References behind which a model refuses to stream. */
  readonly #unstreamed = new Set<string>();
  readonly #gates = new Map<string, Gate>();
  readonly #azureTokens: AzureTokens;
  readonly #listing: Listing;

  constructor(options: ModelsOptions) {
    this.#options = options;
    const { settings, textWork, clock, logger, client = createHttpClient({ clock }) } = options;
    this.#client = client;
    this.#azureTokens = createAzureTokens(client, clock);
    this.#listing = createListing({ settings, textWork, clock, client, logger });
  }

  /** The last sentence of the guide on reasoning functions. */
  guideSentence(): string {
    return guideSentence(this.#options.settings());
  }

  /** By reference, for a million tokens. */
  prices(): Record<string, Price> {
    return Object.fromEntries(this.#options.settings().prices);
  }

  /** Servers of local models that answer at the addresses of the settings. */
  findLocal(): Promise<LocalModelServer[]> {
    return findLocalModels(this.#client, this.#options.settings());
  }

  close(): void {
    return this.#client.close();
  }

  async ask(request: ModelRequest): Promise<ModelAnswer> {
    const { signal } = request;
    const now = this.#options.settings();
    const resolution = resolveModel(now, request.model);
    const prefix = splitReference(resolution.resolved)?.provider ?? '';
    const startedAt = this.#options.clock.now();
    const tookMs = stopwatch(this.#options.clock);
    const refuse = (fault: ModelFault, report: Omit<FailureReport, 'fault' | 'provider'> = NOT_SENT): ModelAnswer => {
      this.#warn(request, { provider: prefix, fault, ...report });
      const durationMs = tookMs();
      const endedAt = startedAt + durationMs;
      this.#options.telemetry.done(tracedCall(request, { resolution, startedAt, endedAt, error: fault.kind }));
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
      return await this.#gateOf(provider).pass(() => this.#send(request, now, resolution), {
        playbookKey: request,
        signal,
      });
    } catch (error) {
      if (error instanceof GateFull) return refuse(busy(prefix, MOST_CONCURRENT));
      if (!signal.aborted || error !== signal.reason) throw error;
      const durationMs = tookMs();
      const endedAt = startedAt + durationMs;
      this.#options.telemetry.done(tracedCall(request, { resolution, startedAt, endedAt, error: 'cancelled' }));
      return { ok: false, fault: cancelled(), durationMs };
    }
  }

  warningsFor({
    model,
    provider_options: options = {},
  }: Parameters<RunModels['warningsFor']>[0]): ReturnType<RunModels['warningsFor']> {
    const now = this.#options.settings();
    const resolution = resolveModel(now, model);
    if (!resolution.ok) {
      const { detail } =
        resolution.because === 'model_not_allowed' ? notAllowed(model) : notConfigured(model, configuredNames(now));
      return [{ pointer: '/model', detail }];
    }
    const misfit = optionsMisfit(now, resolution.provider, options);
    return misfit === undefined ? [] : [{ pointer: '/provider_options', detail: misfit }];
  }

  resolve(reference: string): string {
    return behindAlias(this.#options.settings(), reference);
  }

  list(only: Parameters<Listing['list']>[0]): ReturnType<Listing['list']> {
    return this.#listing.list(only);
  }

  failureOf(prefix: string): ReturnType<Listing['failureOf']> {
    return this.#listing.failureOf(prefix);
  }

  #gateOf({ prefix }: ModelProvider): Gate {
    const known = this.#gates.get(prefix) ?? createGate(MOST_CONCURRENT, this.#options.clock, () => new GateFull());
    this.#gates.set(prefix, known);
    return known;
  }

  /** Warns the operator. */
  #warn(request: ModelRequest, { provider, fault, status, providerMessage, hint }: FailureReport): void {
    this.#options.logger.warn(
      {
        provider,
        model: request.model,
        status,
        run_id: request.runId,
        provider_message: providerMessage ?? null,
        kind: fault.kind,
        ...(hint === undefined ? {} : { hint }),
      },
      'A model call failed.',
    );
  }

  /** Once for a run. */
  #warnOfLeftOut(request: ModelRequest, { prefix }: ModelProvider, leftOut: readonly LeftOutTool[]): void {
    if (request.messages.some(({ role }) => role === 'assistant')) return;
    for (const { tool, reason } of leftOut) {
      const about = { provider: prefix, model: request.model, run_id: request.runId, tool, reason };
      this.#options.logger.warn(about, 'A tool was left out of the requests to a model.');
    }
  }

  async #send(
    request: ModelRequest,
    now: ModelSettings,
    resolution: Extract<ReturnType<typeof resolveModel>, { ok: true }>,
  ): Promise<ModelAnswer> {
    const { provider, model } = resolution;
    const secrets = secretsOfProvider(provider);
    const adapted = await adaptTools(provider, request.tools);
    this.#warnOfLeftOut(request, provider, adapted.leftOut);
    const leftOut = adapted.leftOut.length === 0 ? {} : { leftOut: adapted.leftOut };
    const startedAt = this.#options.clock.now();
    const tookMs = stopwatch(this.#options.clock);
    const called = await callModel({
      client: this.#client,
      textWork: textWorkOf(request, this.#options.textWork),
      clock: this.#options.clock,
      deadline: BASE_DEADLINE_MS + MS_PER_TOKEN * request.settings.maxOutputTokens,
      signal: request.signal,
      isCloud: provider.kind === 'cloud',
      ...(provider.kind === 'gateway' ? { queryParams: provider.queryParams } : {}),
      load: (fetch) =>
        loadModel(provider, model, {
          fetch,
          bodyFields: request.providerOptions[provider.prefix] ?? {},
          azureTokens: this.#azureTokens,
        }),
      options: callOptions(provider, request, adapted),
      secrets,
      isStreamed: !this.#unstreamed.has(resolution.resolved),
      onStreamRefused: () => this.#unstreamed.add(resolution.resolved),
      ...(request.live === undefined ? {} : { live: request.live }),
    });
    const durationMs = tookMs();
    const trace = (more: { error?: string; turn?: ReturnType<typeof turnOf> }): void =>
      this.#options.telemetry.done(
        tracedCall(request, { resolution, startedAt, endedAt: startedAt + durationMs, ...more }),
      );

    if (called.end === 'cancelled') {
      trace({ error: 'cancelled' });
      return { ok: false, fault: cancelled(), durationMs, ...leftOut };
    }
    const hide: Hide = (text) =>
      createHide([...now.secrets, ...called.credentials], [...request.quoted, ...sentTexts(request.messages)])(text);
    if (called.end === 'failed') {
      if (provider.kind === 'cloud' && called.failure.kind === 'credentials_rejected')
        this.#azureTokens.refused(provider);
      const report = reportOfFailure(provider, called.failure, {
        hide,
        others: othersOf(now, provider.prefix),
        request,
      });
      this.#warn(request, report);
      trace({ error: report.fault.kind });
      return { ok: false, fault: report.fault, durationMs, ...leftOut };
    }
    const turn = turnOf(called.result, createScrubber([...secrets, ...called.credentials], REDACTED), adapted.ownCall);
    const unusable = reportOfEnding(provider, called.result, turn, hide);
    const fault = unusable?.fault ?? (await request.judge?.(turn));
    if (fault === undefined) {
      trace({ turn });
      return { ok: true, turn, durationMs, ...leftOut };
    }
    this.#warn(request, { provider: provider.prefix, status: ANSWERED, ...unusable, fault });
    trace({ turn, error: fault.kind });
    return { ok: false, fault, turn, durationMs, ...leftOut };
  }
}

const NOT_SENT = { status: null };

/** For the operator alone. */
const SET_UP =
  'To set one up, enter the key of a provider on the Models page of the studio, or set it in the environment or in the file env of the data directory, for example OPENAI_API_KEY. For your own server, add it under model_gateways in cuebook.yaml. See docs/models.md.';
