// How a document speaks with a party through tools: what is read, what is sent, and which answer a reply is.
import { isJsonObject, type Json } from '../../../shared/json.ts';
import { Refused } from '../../lib/rejection.ts';
import type { SchemaChecker } from '../../lib/schemas/index.ts';
import type { Conversing, PutRequest, Reply, Evaluated } from '../conversing.ts';
import { splitTool } from '../tools.ts';
import { answerOfText } from './answer-of-text.ts';
import type { Deliver, InteractionDocument } from './schema.ts';
import { requestNames } from './request.ts';
import type { TemplateVariables, RenderContext, Values } from './values.ts';

export interface ConversingOptions {
  values: Values;
  schemas: SchemaChecker;
  requestUrl: (playbookKey: { org: string; playbook: string }, runId: string) => string;
  documentOf: (source: string) => Promise<InteractionDocument>;
}

const MOST_CONVERSATION = 1024;
const MOST_REPLY_ID = 256;
const MOST_REPLIES = 10_000;
/** How many of the issues of an answer are sent to its author. */
const MOST_TOLD = 5;

export function createConversing({ values, schemas, requestUrl, documentOf }: ConversingOptions): Conversing {
  const deliverOf = async ({ source }: PutRequest): Promise<Deliver | undefined> =>
    (await documentOf(source)).ask?.deliver;

  function scopeOf(put: PutRequest, more: TemplateVariables = {}): RenderContext {
    const request = requestNames(put.runId, put.to, put.expiresAt, requestUrl(put, put.runId));
    const { input, message, conversation, now } = put;
    return { input, names: { request, message, conversation, ...more }, now, playbookKey: put };
  }

  return {
    async conversation(put, answer) {
      const written = (await deliverOf(put))?.conversation;
      if (written === undefined) return { ok: true, value: null };
      const worked = await values.expression('ask.deliver.conversation', written, answer, scopeOf(put));
      return worked.ok ? conversationIn(worked.value) : worked;
    },
    async reading(put) {
      const replies = (await deliverOf(put))?.replies;
      if (replies === undefined) return { ok: false, detail: 'The document does not read replies.' };
      const given = await values.arguments('ask.deliver.replies.arguments', replies.arguments, scopeOf(put));
      return given.ok ? { ok: true, value: { ...splitTool(replies.tool), arguments: given.value } } : given;
    },
    async replies(put, answer) {
      const written = (await deliverOf(put))?.replies?.messages ?? '${ [] }';
      const worked = await values.expression('ask.deliver.replies.messages', written, answer, scopeOf(put));
      return worked.ok ? repliesIn(worked.value) : worked;
    },
    async answerOf({ answerSchema }, text) {
      if (answerSchema === null) return { ok: false, detail: 'A notification accepts no answer.' };
      try {
        const compiled = schemas.compileSchema(answerSchema, 'The answer');
        const taken = await answerOfText(answerSchema, text, (answer) => compiled.check(answer, ''));
        if (taken.ok) return { ok: true, value: taken.answer };
        const reasons = taken.issues.slice(0, MOST_TOLD).map(({ detail }) => detail);
        return { ok: false, detail: reasons.join(' ') };
      } catch (error) {
        if (!(error instanceof Refused) || error.rejection.reason !== 'conflict') throw error;
        return { ok: false, detail: 'Checking the answer takes too long.' };
      }
    },
    async telling(put, words) {
      const telling = (await deliverOf(put))?.telling;
      if (telling === undefined) return { ok: true, value: undefined };
      const scope = scopeOf(put, { telling: words });
      const given = await values.arguments('ask.deliver.telling.arguments', telling.arguments, scope);
      return given.ok ? { ok: true, value: { ...splitTool(telling.tool), arguments: given.value } } : given;
    },
  };
}

function conversationIn(value: Json): Evaluated<string | number | null> {
  const isName = typeof value === 'number' || (typeof value === 'string' && value !== '');
  if (isName && String(value).length <= MOST_CONVERSATION) return { ok: true, value };
  const detail = `\`ask.deliver.conversation\` must evaluate to a string of at most ${MOST_CONVERSATION} characters, or a number.`;
  return { ok: false, detail };
}

function repliesIn(value: Json): Evaluated<readonly Reply[]> {
  const refused = (detail: string): Evaluated<readonly Reply[]> => ({ ok: false, detail });
  const where = '`ask.deliver.replies.messages`';
  if (!Array.isArray(value)) return refused(`${where} must evaluate to a list of { id, author, text, at? }.`);
  if (value.length > MOST_REPLIES)
    return refused(`${where} evaluates to more than ${MOST_REPLIES} messages; read fewer.`);
  const replies: Reply[] = [];
  for (const [index, message] of value.entries()) {
    const reply = replyIn(message);
    if (reply === undefined) return refused(`${where}: message ${index + 1} is no { id, author, text, at? }.`);
    replies.push(reply);
  }
  return { ok: true, value: replies };
}

/** Ids and authors may be numbers; a time is ISO 8601 with its offset, or absent. */
function replyIn(message: Json): Reply | undefined {
  if (!isJsonObject(message)) return undefined;
  const { id, author, text, at } = message;
  const isNamed = [id, author].every((name) => typeof name === 'number' || (typeof name === 'string' && name !== ''));
  if (!isNamed || String(id).length > MOST_REPLY_ID || typeof text !== 'string') return undefined;
  const reply = { id: String(id), author: String(author), text };
  if (at === undefined || at === null) return reply;
  const time = typeof at === 'string' && /T[^T]*(?:Z|[+-]\d\d:?\d\d)$/i.test(at) ? Date.parse(at) : Number.NaN;
  return Number.isNaN(time) ? undefined : { ...reply, at: time };
}
