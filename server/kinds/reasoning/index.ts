// Reasoning functions: a prompt, a model that answers it, and tools that it may call on the way.
import { type Json, type JsonObject, textsIn } from '../../../shared/json.ts';
import { SHAPES } from '../../../shared/shapes/index.ts';
import { type Clock, stopwatch } from '../../lib/clock.ts';
import type { Rejection } from '../../lib/rejection.ts';
import type { PlaybookKey } from '../../kernel/log/index.ts';
import type { SchemaChecker } from '../../lib/schemas/index.ts';
import type { Templates } from '../../lib/templates/index.ts';
import type { Sources } from '../../lib/yaml/index.ts';
import type { Kind } from '../kind.ts';
import type { Ending, RunRequest } from '../run.ts';
import type { ModelCallSettings, ModelMessage, RunModels } from '../models.ts';
import type { PlaybookTools } from '../tools.ts';
import { checkReasoning } from './check.ts';
import { type Conversation, converse } from './converse.ts';
import { checkedDocument, type Config, type ReasoningDocument } from './document.ts';
import { readAnswer, textMember } from './output.ts';
import { createRecorder } from './record.ts';
import { offerTools } from './tools.ts';

export interface ReasoningOptions {
  sources: Sources;
  models: RunModels;
  tools: PlaybookTools;
  schemas: SchemaChecker;
  templates: Templates;
  clock: Clock;
}

type Rendered = { ok: true; messages: ModelMessage[] } | { ok: false; detail: string };

const MAX_OUTPUT_TOKENS = 1024;
const MAX_STEPS = 8;

export function createReasoningKind({ sources, models, tools, schemas, templates, clock }: ReasoningOptions): Kind {
  async function rendered(
    document: ReasoningDocument,
    input: Json,
    now: number,
    playbookKey: PlaybookKey,
  ): Promise<Rendered> {
    const messages: ModelMessage[] = [];
    for (const [role, text] of [
      ['system', document.instructions],
      ['user', document.prompt],
    ] as const) {
      if (text === undefined) continue;
      const made = await templates.render(text, { input }, now, playbookKey);
      const part = role === 'system' ? '`instructions`' : 'The prompt';
      if (!made.ok) return { ok: false, detail: `${part} cannot be rendered. ${made.detail}` };
      const trimmed = made.text.trim();
      if (trimmed !== '') messages.push({ role, text: trimmed });
      else if (role === 'user') return { ok: false, detail: 'The prompt is empty after rendering.' };
    }
    return { ok: true, messages };
  }

  async function start(run: RunRequest): Promise<Ending> {
    const document = await checkedDocument(run.source, sources);
    const made = await rendered(document, run.input, run.startedAt, run);
    if (!made.ok) return rejected({ reason: 'conflict', kind: 'unworkable', detail: made.detail });
    const tookMs = stopwatch(clock);
    const model = run.model ?? document.model;
    const recorder = createRecorder(model, models.resolve(model));
    const offered = await offerTools(document.tools ?? [], run.tools);
    const member = textMember(document.output);
    const result = await converse({
      models,
      tools: run.tools,
      offered,
      recorder,
      messages: made.messages,
      request: {
        org: run.org,
        playbook: run.playbook,
        runId: run.runId,
        ...(run.traceId === undefined ? {} : { traceId: run.traceId }),
        model,
        quoted: textsIn(run.input),
        settings: settingsOf(document.config ?? {}),
        providerOptions: document.provider_options ?? {},
        signal: run.signal,
        ...(run.live === undefined ? {} : { live: run.live }),
      },
      ...(member === undefined ? jsonOf(document.output ?? {}) : {}),
      maxSteps: document.config?.max_steps ?? MAX_STEPS,
    });
    const record = recorder.record(tookMs());
    switch (result.end) {
      case 'answered':
        return {
          status: 'succeeded',
          output: member === undefined ? result.answer : { [member]: result.answer },
          record,
        };
      case 'rejected':
        return rejected(result.rejection, record);
      case 'failed':
        return { status: 'failed', detail: result.detail, record };
    }
  }

  function jsonOf(output: JsonObject): Required<Pick<Conversation, 'json'>> {
    const { shape } = output;
    const schema = typeof shape === 'string' ? SHAPES[shape as keyof typeof SHAPES] : output;
    return { json: { schema, read: (text) => readAnswer(text, schema, schemas) } };
  }

  return {
    type: 'reasoning',
    traits: { startsSlowly: true, needsModel: true, endsWithCaller: true },
    check: (source, context) => checkReasoning(source, context, { sources, models, tools, schemas, templates }),
    start,
    mayCallTools: async (source) => ((await checkedDocument(source, sources)).tools ?? []).length > 0,
    async tryExample({ playbookKey, source, example, now }) {
      const made = await rendered(await checkedDocument(source, sources), example.input, now, playbookKey);
      return made.ok ? [] : [made.detail];
    },
  };
}

function settingsOf(config: Config): ModelCallSettings {
  return {
    maxOutputTokens: config.max_output_tokens ?? MAX_OUTPUT_TOKENS,
    ...(config.temperature === undefined ? {} : { temperature: config.temperature }),
    ...(config.top_p === undefined ? {} : { topP: config.top_p }),
    ...(config.seed === undefined ? {} : { seed: config.seed }),
    ...(config.stop === undefined ? {} : { stop: config.stop }),
    ...(config.reasoning_effort === undefined ? {} : { reasoningEffort: config.reasoning_effort }),
  };
}

function rejected(rejection: Rejection, record?: JsonObject): Ending {
  return { status: 'rejected', rejection, ...(record === undefined ? {} : { record }) };
}
