// The request of an `ask` or a `tell`, computed completely before it exists.
import type { PlaybookKey } from '../../kernel/log/index.ts';
import type { Json } from '../../../shared/json.ts';
import { isoTime } from '../../lib/clock.ts';
import { parseDuration } from '../../lib/duration.ts';
import type { NewRequest, Evaluated } from '../conversing.ts';
import { EXPIRES_DEFAULT } from '../document/index.ts';
import { splitTool } from '../tools.ts';
import type { Deliver, InteractionDocument, ToolCall } from './schema.ts';
import type { RenderContext, Values } from './values.ts';

/** What a request is worked out from. */
export interface RequestingRun extends PlaybookKey {
  runId: string;
  input: Json;
  now: number;
  url: string;
}

const MOST_TO = 256;
const MOST_MESSAGE = 65_536;
const DAY = 24 * 60 * 60 * 1000;
/** How often replies are read where the document does not say. */
const EVERY = 'PT30S';
/** How long delivering a notification is tried. */
const TELL_EXPIRES_MS = DAY;

export async function requestOf(
  { ask, tell }: InteractionDocument,
  run: RequestingRun,
  values: Values,
): Promise<Evaluated<NewRequest>> {
  const { runId, input, now, url } = run;
  const form = ask === undefined ? 'tell' : 'ask';
  const given = ask ?? tell;
  if (given === undefined) throw new Error('The document has neither `ask` nor `tell`.');
  const to = bounded(
    await values.text(`${form}.to`, given.to, { input, names: {}, now, playbookKey: run }),
    `${form}.to`,
    MOST_TO,
  );
  if (!to.ok) return to;
  const expiresAt = now + (ask === undefined ? TELL_EXPIRES_MS : durationOf(ask.expires ?? EXPIRES_DEFAULT));
  const request = requestNames(runId, to.value, expiresAt, url);
  const said = await values.text(`${form}.message`, given.message, {
    input,
    names: { request },
    now,
    playbookKey: run,
  });
  const message = bounded(said, `${form}.message`, MOST_MESSAGE);
  if (!message.ok) return message;
  const scope: RenderContext = { input, names: { request, message: message.value }, now, playbookKey: run };
  const delivery = await deliveryOf(`${form}.deliver`, given.deliver, scope, values);
  if (!delivery.ok) return delivery;
  return {
    ok: true,
    value: {
      to: to.value,
      message: message.value,
      answerSchema: ask?.answer ?? null,
      expiresAt,
      delivery: delivery.value,
    },
  };
}

/** What texts see as `request`. */
export function requestNames(runId: string, to: string, expiresAt: number, url: string): Json {
  return { run_id: runId, to, expires_at: isoTime(expiresAt), url };
}

async function deliveryOf(
  where: string,
  deliver: ToolCall | Deliver | undefined,
  scope: RenderContext,
  values: Values,
): Promise<Evaluated<NewRequest['delivery']>> {
  if (deliver === undefined) return { ok: true, value: null };
  const worked = await values.arguments(`${where}.arguments`, deliver.arguments, scope);
  if (!worked.ok) return worked;
  const use = { ...splitTool(deliver.tool), arguments: worked.value };
  const { replies, answerer: written }: Partial<Deliver> = deliver;
  if (replies === undefined || written === undefined) return { ok: true, value: use };
  const answerer = bounded(await values.text(`${where}.answerer`, written, scope), `${where}.answerer`, MOST_TO);
  if (!answerer.ok) return answerer;
  const every = durationOf(replies.every ?? EVERY);
  return { ok: true, value: { ...use, replies: { every, answerer: answerer.value } } };
}

function bounded(text: Evaluated<string>, where: string, most: number): Evaluated<string> {
  if (!text.ok) return text;
  const characters = text.value.length;
  if (text.value.trim() !== '' && characters <= most) return text;
  const has = text.value.trim() === '' ? 'is empty' : `has ${characters} characters`;
  return { ok: false, detail: `\`${where}\` ${has} after rendering; it must have 1 to ${most} characters.` };
}

/** In milliseconds. */
function durationOf(text: string): number {
  return parseDuration(text)?.milliseconds ?? 0;
}
