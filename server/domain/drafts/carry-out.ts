// Carries out a draft and the definitions that it calls, in memory.
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

export interface CarryOutOptions {
  log: EventLog;
  /** Those of runs. */
  kinds: Readonly<Record<DefinitionType, Kind>>;
  schemas: SchemaChecker;
  tools: Tools;
}

export interface Draft {
  place: PlaybookKey;
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

/** What a draft came to. Without an ending it waits. */
export interface CarriedOut {
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

export type CarryOut = (draft: Draft) => Promise<CarriedOut>;

export function createCarryOut({ log, kinds, schemas, tools }: CarryOutOptions): CarryOut {
  const runnables = new Runnables();

  async function run(draft: Draft, callee: Callee): Promise<CarriedOut> {
    const { type, name, inputSchema, input, depth } = callee;
    const issues = inputSchema === undefined ? [] : await schemas.compileSchema(inputSchema).check(input, '/input');
    if (issues.length > 0) {
      const detail = `The input does not match the input schema of ${type}/${name}.`;
      return ended({ status: 'rejected', rejection: { reason: 'invalid_input', detail, issues } });
    }
    if (depth > DRAFT_BOUNDS.depth) {
      return ended({ status: 'failed', detail: `Workflows call each other more than ${DRAFT_BOUNDS.depth} deep.` });
    }
    const kind = kinds[type];
    const { decide, describe } = kind;
    if (kind.traits.takesEvents === true && decide !== undefined && describe !== undefined) {
      return simulated(draft, callee, { decide, describe, ...(kind.perform ? { perform: kind.perform } : {}) });
    }
    return started(draft, callee, kind);
  }

  async function started(draft: Draft, callee: Callee, kind: Kind): Promise<CarriedOut> {
    const request = requestOf(draft, callee);
    try {
      const came =
        callee.unsaved !== undefined && kind.startUnsaved !== undefined
          ? await kind.startUnsaved(request, callee.unsaved)
          : await kind.start(request);
      return came.status === 'waiting' ? await waited(draft, callee, came) : ended(came);
    } catch (error) {
      if (!(error instanceof NotCalled)) throw error;
      const { type, name, path, outputSchema } = callee;
      const asked = { asks_for: 'result', detail: error.message, ...schemaOf(outputSchema) } as const;
      return settled(await draft.calls.settle(path || ASK, `${type}/${name}`, asked, schemas));
    }
  }

  function requestOf(draft: Draft, { type, name, version, source, outputSchema, input, path }: Callee): RunRequest {
    const { place, signal, calls, startedAt } = draft;
    return {
      ...place,
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
        tools,
        place,
        signal,
        callsTools: draft.callsTools,
        continuesDry: kinds[type].traits.needsModel === true,
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
  async function waited({ calls, startedAt }: Draft, callee: Callee, { decision }: Waiting): Promise<CarriedOut> {
    if (decision.ending !== undefined) return ended(decision.ending);
    const asked = decision.commands.find((command) => command.do === 'put_request')?.request;
    if (asked === undefined) return ended({ status: 'failed', detail: `The run waits for ${decision.waitsFor}.` });
    if (asked.answerSchema === null) return ended({ status: 'succeeded', output: { delivered: true }, record: {} });
    const { to, message, answerSchema, expiresAt } = asked;
    const question = { asks_for: 'answer', to, message, schema: answerSchema } as const;
    const came = await calls.settle(callee.path || ASK, `${callee.type}/${callee.name}`, question, schemas);
    const hasExpired = came !== 'open' && came.status === 'rejected' && came.rejection.reason === 'unanswered';
    // Asked at the start of the draft run as far as the interaction knows: its expiry is that much after the call.
    return { ...settled(came), ...(hasExpired ? { afterMs: expiresAt - startedAt } : {}) };
  }

  async function simulated(
    draft: Draft,
    { path, source, input, depth }: Callee,
    kind: Required<Pick<Kind, 'decide' | 'describe'>> & Pick<Kind, 'perform'>,
  ): Promise<CarriedOut> {
    const { place, calls, signal } = draft;
    const runId = path === '' ? draft.runId : derivedId(`${draft.runId} ${path}`);
    const result = await simulate(kind, {
      place,
      source,
      input,
      now: draft.startedAt,
      runId,
      events: path === '' ? draft.events : [],
      signal,
      answer: (call) => called(draft, { ...call, call: calls.idOf(path, call.reference) }, depth + 1),
      async perform(simulatedCall, effect) {
        const call = calls.idOf(path, simulatedCall.reference);
        if (calls.areTooMany()) return performedAs(TOO_MANY_CALLS);
        if (calls.isGiven(call) || !draft.callsTools || kind.perform === undefined) {
          const ending = await calls.settle(call, simulatedCall.called, await notCalled(place, simulatedCall), schemas);
          return ending === 'open' ? 'open' : performedAs(ending);
        }
        const options = { signal, starts: async () => {} };
        const performed = await kind.perform({ ...place, runId, name: draft.name, version: 1 }, effect, options);
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

  async function notCalled(playbookKey: PlaybookKey, { called, input }: SimulatedCall) {
    const slash = called.indexOf('/');
    const [server, tool] = [called.slice(0, slash), called.slice(slash + 1)];
    const detail =
      server === 'http'
        ? `A draft run does not call services. It would send ${tool} to ${addressIn(input)}.`
        : await dryRunWords(tools, playbookKey, { server, tool }, input as JsonObject);
    return { asks_for: 'result', detail } as const;
  }

  /** A call of a definition of the playbook. */
  async function called(
    draft: Draft,
    { call, called: reference, input }: SimulatedCall & { call: string },
    depth: number,
  ): Promise<Ending | LateEnding | 'open'> {
    const { place, calls } = draft;
    if (calls.areTooMany()) return TOO_MANY_CALLS;
    const slash = reference.indexOf('/');
    const [type, name] = [reference.slice(0, slash) as DefinitionType, reference.slice(slash + 1)];
    try {
      const runnable = await log.read((tx) => runnables.read(tx, { ...place, type, name }));
      const asked = { asks_for: 'result', ...schemaOf(runnable.outputSchema) } as const;
      // The given result of an interaction is checked against what it asks for.
      const asksItself = kinds[type].conversing !== undefined;
      const needsModel = kinds[type].traits.needsModel === true;
      if (!asksItself && calls.isGiven(call)) return await calls.settle(call, reference, asked, schemas);
      if (needsModel && !draft.callsModels) {
        const detail = `A draft run calls no models unless asked to. Give the output of ${reference}, or call models.`;
        return await calls.settle(call, reference, { ...asked, detail }, schemas);
      }
      const before = calls.askedCount();
      const { ending, afterMs = 0 } = await run(draft, { ...runnable, type, name, input, path: call, depth });
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

  return async (draft) => {
    const { type, name, source, document, input } = draft;
    const { inputSchema, outputSchema } = document;
    const own = {
      type,
      name,
      version: 1,
      source,
      inputSchema,
      outputSchema,
      unsaved: document,
      input,
      path: '',
      depth: 0,
    };
    try {
      return await run(draft, own);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return ended({ status: 'rejected', rejection: error.rejection });
    }
  };
}

/** Nobody waits for the draft run any more, or its time is over. */
export class Stopped extends Error {}

/** The id of the question of an interaction that is itself the draft. */
const ASK = '/ask';

const TOO_MANY_CALLS = { status: 'failed', detail: `A draft run makes at most ${DRAFT_BOUNDS.calls} calls.` } as const;

function ended(ending: Ending): CarriedOut {
  return { ending };
}

function settled(ending: Ending | 'open'): CarriedOut {
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
