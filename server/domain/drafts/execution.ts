// Runs a draft and the definitions that it calls, in memory.
//
// 1. Nothing is recorded or published, no party is asked, and nothing waits in real time.
// 2. Functions of the playbook that have no effect are run. Models, tools and services are called only where the caller
//    asked for that; otherwise the caller gives the result, as the answer to a question.
// 3. The same document, input, start and results lead to the same run: a caller continues by sending them again.
import type { DefinitionType } from '../../../shared/definition-types.ts';
import type { Json, JsonObject } from '../../../shared/json.ts';
import { DRAFT_BOUNDS } from '../../../shared/limits.ts';
import { derivedId } from '../../kernel/ids.ts';
import type { EventLog, PlaybookKey } from '../../kernel/log/index.ts';
import type { CheckedDocument } from '../../kinds/checked.ts';
import type { CloudEvent, MovedStep, Waiting } from '../../kinds/durable.ts';
import type { Kind } from '../../kinds/kind.ts';
import type { GrowingText } from '../../kinds/models.ts';
import type { Ending, RunRequest } from '../../kinds/run.ts';
import { type LateEnding, performedAs, simulate } from '../../kinds/simulate.ts';
import type { SimulatedCall } from '../../kinds/simulated-calls.ts';
import { conflict, Refused } from '../../lib/rejection.ts';
import type { SchemaChecker } from '../../lib/schemas/index.ts';
import { Runnables } from '../definitions/index.ts';
import type { Tools } from '../tools/index.ts';
import type { DraftCalls } from './draft-calls.ts';
import { createDraftTools, dryRunWords, NotCalled } from './draft-tools.ts';

export interface ExecutionOptions {
  log: EventLog;
  /** Those of runs. */
  kinds: Readonly<Record<DefinitionType, Kind>>;
  schemas: SchemaChecker;
  tools: Tools;
}

export interface Draft {
  playbookKey: PlaybookKey;
  type: DefinitionType;
  /** The name under which it is saved, or another one. */
  name: string;
  source: string;
  document: CheckedDocument;
  input: Json;
  model?: string;
  runId: string;
  startedAt: number;
  events: readonly CloudEvent[];
  callsTools: boolean;
  callsModels: boolean;
  calls: DraftCalls;
  signal: AbortSignal;
  live?: GrowingText;
  onMoved: (moved: readonly MovedStep[], now: number) => void;
  onPublished: (event: CloudEvent) => void;
}

/** The result of a draft run. Without an ending, the run is waiting. */
export interface DraftResult {
  ending: Ending | undefined;
  waitsFor?: string | undefined;
  /** How much later than its start it ended, in milliseconds of the run's time. */
  afterMs?: number;
}

/** A run of the draft, or of a definition that it calls. */
interface Callee {
  type: DefinitionType;
  name: string;
  version: number;
  source: string;
  inputSchema: JsonObject | undefined;
  outputSchema: JsonObject | undefined;
  /** Of the draft itself. */
  unsaved?: CheckedDocument;
  input: Json;
  /** The id of the call; empty for the draft itself. */
  path: string;
  depth: number;
}

export class DraftExecution {
  readonly #options: ExecutionOptions;
  readonly #runnables = new Runnables();

  constructor(options: ExecutionOptions) {
    this.#options = options;
  }

  async run(draft: Draft): Promise<DraftResult> {
    const { type, name, source, document, input } = draft;
    const { inputSchema, outputSchema } = document;
    const callee = { type, name, version: 1, source, inputSchema, outputSchema, unsaved: document, input };
    try {
      return await this.#execute(draft, { ...callee, path: '', depth: 0 });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return ended({ status: 'rejected', rejection: error.rejection });
    }
  }

  async #execute(draft: Draft, callee: Callee): Promise<DraftResult> {
    const { type, name, inputSchema, input, depth } = callee;
    const issues =
      inputSchema === undefined ? [] : await this.#options.schemas.compileSchema(inputSchema).check(input, '/input');
    if (issues.length > 0) {
      const detail = `The input does not match the input schema of ${type}/${name}.`;
      return ended({ status: 'rejected', rejection: { reason: 'invalid_input', detail, issues } });
    }
    if (depth > DRAFT_BOUNDS.depth) {
      return ended({ status: 'failed', detail: `Workflows call each other more than ${DRAFT_BOUNDS.depth} deep.` });
    }
    const kind = this.#options.kinds[type];
    const { decide, describe } = kind;
    if (kind.traits.takesEvents === true && decide !== undefined && describe !== undefined) {
      return this.#simulated(draft, callee, { decide, describe, ...(kind.perform ? { perform: kind.perform } : {}) });
    }
    return this.#started(draft, callee, kind);
  }

  async #started(draft: Draft, callee: Callee, kind: Kind): Promise<DraftResult> {
    const request = this.#requestOf(draft, callee);
    try {
      const result =
        callee.unsaved !== undefined && kind.startUnsaved !== undefined
          ? await kind.startUnsaved(request, callee.unsaved)
          : await kind.start(request);
      return result.status === 'waiting' ? await this.#waited(draft, callee, result) : ended(result);
    } catch (error) {
      if (!(error instanceof NotCalled)) throw error;
      const { type, name, path, outputSchema } = callee;
      const asked = { asks_for: 'result', detail: error.message, ...schemaOf(outputSchema) } as const;
      return settled(await draft.calls.settle(path || ASK, `${type}/${name}`, asked, this.#options.schemas));
    }
  }

  #requestOf(draft: Draft, { type, name, version, source, outputSchema, input, path }: Callee): RunRequest {
    const { playbookKey, signal, calls, startedAt } = draft;
    return {
      ...playbookKey,
      runId: path === '' ? draft.runId : derivedId(`${draft.runId} ${path}`),
      attempt: 1,
      name,
      version,
      source,
      ...(outputSchema === undefined ? {} : { outputSchema }),
      input,
      ...(path === '' && draft.model !== undefined ? { model: draft.model } : {}),
      startedAt,
      // Only a build of a model records its start: it keeps datasets and models for a saved version.
      async recordStart() {
        throw conflict('A draft run builds no models. Save the definition, then run it.', 'unworkable');
      },
      depth: 0,
      signal,
      tools: createDraftTools({
        tools: this.#options.tools,
        playbookKey,
        signal,
        callsTools: draft.callsTools,
        continuesDry: this.#options.kinds[type].traits.needsModel === true,
        onCall({ called, how, isError, output, detail }) {
          const ending: Ending = isError
            ? { status: 'failed', detail: detail ?? '' }
            : { status: 'succeeded', output: output ?? null, record: {} };
          calls.note(calls.idOf(path, `/tools/${called}`), called, how, ending, detail);
        },
      }),
      ...(path === '' && draft.live !== undefined ? { live: draft.live } : {}),
    };
  }

  /** A question is asked of the caller; a notification is not delivered. */
  async #waited({ calls, startedAt }: Draft, callee: Callee, { decision }: Waiting): Promise<DraftResult> {
    if (decision.ending !== undefined) return ended(decision.ending);
    const asked = decision.commands.find((command) => command.do === 'put_request')?.request;
    if (asked === undefined) return ended({ status: 'failed', detail: `The run waits for ${decision.waitsFor}.` });
    if (asked.answerSchema === null) return ended({ status: 'succeeded', output: { delivered: true }, record: {} });
    const { to, message, answerSchema, expiresAt } = asked;
    const question = { asks_for: 'answer', to, message, schema: answerSchema } as const;
    const result = await calls.settle(
      callee.path || ASK,
      `${callee.type}/${callee.name}`,
      question,
      this.#options.schemas,
    );
    const hasExpired = result !== 'open' && result.status === 'rejected' && result.rejection.reason === 'unanswered';
    // Asked at the start of the draft run as far as the interaction knows: its expiry is that much after the call.
    return { ...settled(result), ...(hasExpired ? { afterMs: expiresAt - startedAt } : {}) };
  }

  async #simulated(
    draft: Draft,
    { path, source, input, depth }: Callee,
    kind: Required<Pick<Kind, 'decide' | 'describe'>> & Pick<Kind, 'perform'>,
  ): Promise<DraftResult> {
    const { playbookKey, calls, signal } = draft;
    const runId = path === '' ? draft.runId : derivedId(`${draft.runId} ${path}`);
    const result = await simulate(kind, {
      playbookKey,
      source,
      input,
      now: draft.startedAt,
      runId,
      events: path === '' ? draft.events : [],
      signal,
      answer: (call) => this.#called(draft, { ...call, call: calls.idOf(path, call.reference) }, depth + 1),
      perform: async (simulatedCall, effect) => {
        const call = calls.idOf(path, simulatedCall.reference);
        if (calls.areTooMany()) return performedAs(TOO_MANY_CALLS);
        if (calls.isGiven(call) || !draft.callsTools || kind.perform === undefined) {
          const ending = await calls.settle(
            call,
            simulatedCall.called,
            await this.#notCalled(playbookKey, simulatedCall),
            this.#options.schemas,
          );
          return ending === 'open' ? 'open' : performedAs(ending);
        }
        const options = { signal, starts: async () => {} };
        const performed = await kind.perform({ ...playbookKey, runId, name: draft.name, version: 1 }, effect, options);
        const ending: Ending = performed.ok
          ? { status: 'succeeded', output: performed.output, record: {} }
          : { status: 'failed', detail: String(performed.error['detail'] ?? 'The call failed.') };
        calls.note(call, simulatedCall.called, 'called', ending);
        calls.keep(call, ending);
        return performed;
      },
      onMoved: path === '' ? draft.onMoved : () => {},
      onPublished: path === '' ? draft.onPublished : () => {},
    });
    if (result.ending === undefined && signal.aborted) throw new Stopped();
    return { ending: result.ending, waitsFor: result.waitsFor, afterMs: result.now - draft.startedAt };
  }

  async #notCalled(playbookKey: PlaybookKey, { called, input }: SimulatedCall) {
    const slash = called.indexOf('/');
    const [server, tool] = [called.slice(0, slash), called.slice(slash + 1)];
    const detail =
      server === 'http'
        ? `A draft run does not call services. It would send ${tool} to ${addressIn(input)}.`
        : await dryRunWords(this.#options.tools, playbookKey, { server, tool }, input as JsonObject);
    return { asks_for: 'result', detail } as const;
  }

  /** A call of a definition of the playbook. */
  async #called(
    draft: Draft,
    { call, called: reference, input }: SimulatedCall & { call: string },
    depth: number,
  ): Promise<Ending | LateEnding | 'open'> {
    const { playbookKey, calls } = draft;
    if (calls.areTooMany()) return TOO_MANY_CALLS;
    const slash = reference.indexOf('/');
    const [type, name] = [reference.slice(0, slash) as DefinitionType, reference.slice(slash + 1)];
    try {
      const runnable = await this.#options.log.read((tx) => this.#runnables.read(tx, { ...playbookKey, type, name }));
      const asked = { asks_for: 'result', ...schemaOf(runnable.outputSchema) } as const;
      // The given result of an interaction is checked against what it asks for.
      const asksItself = this.#options.kinds[type].conversing !== undefined;
      const needsModel = this.#options.kinds[type].traits.needsModel === true;
      if (!asksItself && calls.isGiven(call)) return await calls.settle(call, reference, asked, this.#options.schemas);
      if (needsModel && !draft.callsModels) {
        const detail = `A draft run calls no models unless asked to. Give the output of ${reference}, or call models.`;
        return await calls.settle(call, reference, { ...asked, detail }, this.#options.schemas);
      }
      const before = calls.askedCount();
      const { ending, afterMs = 0 } = await this.#execute(draft, { ...runnable, type, name, input, path: call, depth });
      if (ending === undefined) {
        // Its questions say what it waits for.
        if (calls.askedCount() === before) calls.note(call, reference, 'open', 'open');
        return 'open';
      }
      if (asksItself && calls.isGiven(call)) return { ending, afterMs };
      calls.note(call, reference, needsModel ? 'called' : 'run', ending);
      if (needsModel || (asksItself && draft.callsTools)) calls.keep(call, ending);
      return { ending, afterMs };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const ending: Ending = { status: 'rejected', rejection: error.rejection };
      calls.note(call, reference, 'run', ending);
      return ending;
    }
  }
}

/** The caller disconnected, or the draft run exceeded its time. */
export class Stopped extends Error {}

/** The id of the question of an interaction that is itself the draft. */
const ASK = '/ask';

const TOO_MANY_CALLS = { status: 'failed', detail: `A draft run makes at most ${DRAFT_BOUNDS.calls} calls.` } as const;

function ended(ending: Ending): DraftResult {
  return { ending };
}

function settled(ending: Ending | 'open'): DraftResult {
  return { ending: ending === 'open' ? undefined : ending };
}

function schemaOf(schema: JsonObject | undefined): { schema?: JsonObject } {
  return schema === undefined ? {} : { schema };
}

function addressIn(input: Json): string {
  const endpoint = typeof input === 'object' && input !== null && !Array.isArray(input) ? input['endpoint'] : undefined;
  const uri =
    typeof endpoint === 'object' && endpoint !== null && !Array.isArray(endpoint) ? endpoint['uri'] : endpoint;
  return typeof uri === 'string' ? uri : 'its endpoint';
}
