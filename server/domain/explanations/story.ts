// A run as a short story: one line for the run, one for each step, request and tool call, with called runs indented.
import { durationWords } from '../../../shared/duration-words.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { isRunEnding, type RunStatus } from '../../../shared/run-status.ts';
import { statusSentence } from '../../../shared/status-label.ts';
import { harmless } from '../../lib/harmless.ts';
import type { StoredEvent } from '../../kernel/log/index.ts';
import { depthOf, isStepEvent, nameOf, nameOfStep, type StepVisit, visitsOf } from './steps.ts';

export interface StoryLine {
  text: string;
  /** How far it is indented. */
  depth: number;
  /** The event to look at for more. */
  event_id: string;
  /** The run that the line is about, if it is not the explained run. */
  run_id?: string;
}

/**
 * Tells what a run did.
 * @param events those of the run and of the runs below it, in the order of reading; some may be missing
 * @param now in milliseconds since 1970
 */
export function tellRun(events: readonly StoredEvent[], runId: string, now: number): StoryLine[] {
  const byRun = Map.groupBy(events, ({ metadata }) => metadata.run_id ?? '');
  const started = events.filter(({ type, data }) => type === 'run_started' && data['attempt'] === 1);

  function linesOf(id: string, depth: number): StoryLine[] {
    const own = byRun.get(id) ?? [];
    const about = id === runId ? {} : { run_id: id };
    const first = own[0];
    if (first === undefined) return [];
    const head = { text: headOf(own, { isCalled: id !== runId, now }), depth, event_id: endingOf(own)?.id ?? first.id };
    const visits = visitsOf(own);
    const entries = [
      ...visits.map((visit) => ({ at: visit.opened, lines: () => stepLines(visit, own, depth + 1) })),
      ...own
        .filter((event) => !isStepEvent(event))
        .map((event) => ({ at: event, lines: () => eventLines(event, own, depth + 1) })),
    ].toSorted((one, other) => one.at.position - other.at.position);
    return [head, ...entries.flatMap(({ lines }) => lines())].map((line) => ({ ...about, ...line }));
  }

  function stepLines(visit: StepVisit, own: readonly StoredEvent[], above: number): StoryLine[] {
    const depth = above + depthOf(visit);
    // Its `if` was false in this iteration, but an iteration that the same input reached may have made the call.
    const isSkipped = visit.last.type === 'step_skipped' && visit.last.data['because'] !== 'stopped';
    const called = isSkipped ? undefined : started.find((event) => isCallOf(event, visit));
    const below = called === undefined ? [] : linesOf(String(called.metadata.run_id), depth + 1);
    const hasEnded = endingOf(own) !== undefined;
    // Of a run that is not read whole, it is unknown how such a step was left.
    const isWhole = isReadWhole(own);
    const emitted = emittedBy(visit, own);
    const words = emitted?.words ?? stepWords(visit, { isCall: called !== undefined, hasEnded, isWhole, now });
    const line = (about: string): StoryLine => ({
      text: `${short(nameOf(visit))}${turnWords(visit)} (${about}): ${words}.`,
      depth,
      event_id: emitted?.eventId ?? visit.last.id,
    });
    const [only] = below;
    // A called run that only succeeded needs no line of its own.
    if (below.length === 1 && only?.run_id !== undefined && visit.last.type === 'step_finished') {
      const { definition } = called?.metadata ?? {};
      return [{ ...line(`call of ${definition?.type}/${definition?.name}`), run_id: only.run_id }];
    }
    return [line(visit.kind), ...below];
  }

  return linesOf(runId, 0);
}

function isCallOf({ metadata }: StoredEvent, { step, opened, last }: StepVisit): boolean {
  if (metadata.called_by?.run_id !== opened.metadata.run_id || metadata.called_by?.reference !== step) return false;
  // A step's event is named after the input that moved it, which caused the called run.
  const cause = metadata.causation_id ?? '';
  return opened.id.startsWith(`${cause}_`) || last.id.startsWith(`${cause}_`);
}

/** Whether all events of a run were read. Events that it published are in another stream. */
export function isReadWhole(own: readonly StoredEvent[]): boolean {
  const stream = own.filter(({ type }) => type !== PUBLISHED);
  return stream.length === stream.at(-1)?.position;
}

const PUBLISHED = 'event_published';

/** What an `emit` step published: the recorded event, or as far as its output shows it. */
function emittedBy(visit: StepVisit, own: readonly StoredEvent[]): { words: string; eventId?: string } | undefined {
  const { kind, last } = visit;
  if (kind !== 'emit' || last.type !== 'step_finished') return undefined;
  // An input may move several steps that publish, each one event, in the same order.
  const isOfInput = ({ metadata }: StoredEvent): boolean => last.id.startsWith(`${metadata.causation_id ?? ''}_`);
  const published = own.filter((event) => event.type === PUBLISHED && isOfInput(event));
  const [cause] = published.map(({ metadata }) => `${metadata.causation_id ?? ''}_`);
  const siblings = own.filter(
    ({ type, data, id }) =>
      type === 'step_finished' && data['kind'] === 'emit' && cause !== undefined && id.startsWith(cause),
  );
  const recorded = siblings.length === published.length ? published[siblings.indexOf(last)] : undefined;
  const event = asObject(recorded === undefined ? last.data['output'] : recorded.data['event']);
  const [type, source, id] = [textOf(event['type']), textOf(event['source']), textOf(event['id'])];
  if (type === undefined || source === undefined || id === undefined) return undefined;
  const from = source === `/runs/${last.metadata.run_id}` ? '' : ` from ${short(source)}`;
  const words = `published ${short(type)}${from} with the id ${short(id)}`;
  return { words, ...(recorded === undefined ? {} : { eventId: recorded.id }) };
}

function headOf(own: readonly StoredEvent[], { isCalled, now }: { isCalled: boolean; now: number }): string {
  const start = own.findLast(({ type }) => type === 'run_started') ?? own[0];
  const { definition, by, trigger } = start?.metadata ?? {};
  const origin = asObject(start?.data['origin']);
  const continued =
    origin['run_id'] === undefined
      ? ''
      : ` continued from the step ${nameOfStep(short(origin['step']))} of the run ${short(origin['run_id'])},`;
  const name = `${definition?.type}/${definition?.name} version ${definition?.version}`;
  const starter = trigger === undefined ? `started by ${short(by)}` : `started by its ${trigger.kind} trigger`;
  const subject = isCalled ? name : `${name}, ${starter},${continued}`;
  const attempt = Number(start?.data['attempt'] ?? 1);
  const tries = attempt > 1 ? ` (attempt ${attempt})` : '';
  const ending = endingOf(own);
  if (ending === undefined) return `${subject} has been in progress for ${elapsed(start, now)}${tries}.`;
  const rejection = asObject(ending.data['rejection']);
  const status = ending.type.replace('run_', '') as RunStatus;
  const fields = { status, reason: textOf(rejection['reason']), kind: textOf(rejection['kind']) };
  const sentence = statusSentence(subject, fields).slice(0, -1);
  const issues = Array.isArray(rejection['issues']) ? rejection['issues'] : [];
  const words = [rejection['detail'] ?? ending.data['detail'], asObject(issues[0])['detail']];
  // Of several issues, the first is enough to look further.
  const detail = words.flatMap((one) => textOf(one) ?? []).join(' ');
  const duration = `${status === 'succeeded' ? ' in' : ' after'} ${elapsed(start, timeOf(ending))}${tries}`;
  return `${sentence}${duration}${detail === '' ? '.' : `: ${cut(detail, MOST_DETAIL)}`}`;
}

/** The ending of the newest attempt. */
function endingOf(own: readonly StoredEvent[]): StoredEvent | undefined {
  const last = own.findLast(({ type }) => isRunEnding(type) || type === 'run_started');
  return last !== undefined && isRunEnding(last.type) ? last : undefined;
}

function stepWords(
  visit: StepVisit,
  { isCall, hasEnded, isWhole, now }: { isCall: boolean; hasEnded: boolean; isWhole: boolean; now: number },
): string {
  const { opened, last, waitsFor, kind } = visit;
  const waited = waitsFor === undefined || isCall ? '' : ` for ${withoutIds(waitsFor)}`;
  const after = elapsed(opened, timeOf(last));
  switch (last.type) {
    case 'step_finished': {
      const taken = textOf(last.data['case']);
      if (kind === 'switch') return taken === undefined ? 'no case matched' : `case ${short(taken)}`;
      const { output } = last.data;
      const result = kind === 'call' && output !== undefined ? ` with ${cut(JSON.stringify(output), MOST_VALUE)}` : '';
      if (waited !== '') return `finished after waiting ${after}${waited}${result}`;
      return `${opened === last ? 'finished' : `finished in ${after}`}${result}`;
    }
    case 'step_failed': {
      const { title, detail, type, rejection } = asObject(last.data['error']);
      // The title of an error that a called run caused is the same for all of them.
      const called = textOf(asObject(rejection)['detail']);
      const why = called === undefined ? [title ?? type, detail].flatMap((one) => textOf(one) ?? []) : [called];
      const words = `failed${opened === last ? '' : ` after ${after}`}: ${cut(why.join(': '), MOST_DETAIL)}`;
      return words.replace(/\.$/, '');
    }
    case 'step_skipped':
      return last.data['because'] === 'stopped' ? `stopped after ${after}` : 'skipped, because its `if` was false';
    default:
      if (hasEnded) return isWhole ? 'not finished' : 'started';
      return waitsFor === undefined
        ? `running for ${elapsed(opened, now)}`
        : `waiting for ${withoutIds(waitsFor)}, ${elapsed(opened, now)} so far`;
  }
}

/** Where a notice was sent, as far as the run has come. */
function noticeWords(event: StoredEvent, own: readonly StoredEvent[]): string {
  const { to, delivery } = event.data;
  const later = own.filter(({ position }) => position > event.position);
  const ending = later.find(({ type }) => isRunEnding(type));
  const channel = isThroughTool(delivery) ? `through ${toolOf(delivery)}` : 'under Notices in the inbox of the studio';
  if (ending?.type === 'run_succeeded') {
    return `Notified ${short(to)} ${channel}; the message is in the record of the run.`;
  }
  if (ending === undefined) return `A notice to ${short(to)} is being delivered ${channel}.`;
  const last = later.findLast(({ type }) => type.startsWith('delivery_'));
  const outcome = last?.type === 'delivery_started' ? 'may not have been delivered' : 'was not delivered';
  return `A notice to ${short(to)} ${outcome} ${channel}.`;
}

/** Where a question can be answered. */
function channelOf(event: StoredEvent, own: readonly StoredEvent[]): string {
  const { delivery } = event.data;
  if (!isThroughTool(delivery)) return 'in the inbox';
  const isGivenUp = own.some(
    ({ type, data, position }) => type === 'delivery_failed' && data['gave_up'] === true && position > event.position,
  );
  const tool = toolOf(delivery);
  return isGivenUp ? `in the inbox, because the delivery through ${tool} failed` : `through ${tool}`;
}

function isThroughTool(delivery: Json | undefined): delivery is JsonObject {
  return textOf(asObject(delivery)['tool']) !== undefined;
}

/** What happened in a run besides its steps. */
function eventLines(event: StoredEvent, own: readonly StoredEvent[], depth: number): StoryLine[] {
  const line = (text: string, of: StoredEvent = event): StoryLine[] => [{ text, depth, event_id: of.id }];
  const { data } = event;
  switch (event.type) {
    case 'interaction_requested': {
      if (data['takes_answer'] !== true) return line(noticeWords(event, own));
      const channel = channelOf(event, own);
      const asked = `Asked ${short(data['to'])}`;
      const answer = own.find((one) => one.type === 'request_answered' && one.position > event.position);
      if (answer === undefined) return line(`${asked} ${channel}.`);
      const { answered_by: by, claimed_for: claimed, answer: given } = answer.data;
      const who = `${short(by)}${claimed === undefined ? '' : ` for ${short(claimed)}`}`;
      const value = given === undefined ? 'a large value' : cut(JSON.stringify(given), MOST_VALUE);
      return line(`${asked} ${channel}; answered by ${who} after ${elapsed(event, timeOf(answer))}: ${value}`, answer);
    }
    case 'delivery_failed':
    case 'delivery_refused':
    case 'reply_refused':
      return line(`${DELIVERIES[event.type]}: ${cut(textOf(data['detail']) ?? short(data['because']), MOST_VALUE)}`);
    case 'tool_call_answered':
      return line(
        `Called the tool ${toolOf(data)}: ${data['is_error'] === true ? 'an error' : 'a result'}${took(data)}.`,
      );
    case 'tool_call_failed':
      return line(`Called the tool ${toolOf(data)}: failed, ${short(data['because'])}${took(data)}.`);
    case 'version_activated':
      return line(`Version ${short(data['version'])} was activated by the rule ${short(data['rule'])}.`);
    case 'activation_refused':
    case 'shadow_failed': {
      const version = `Version ${short(data['version'])} was not activated`;
      return line(`${version}: ${cut(textOf(data['detail']) ?? short(data['because']), MOST_DETAIL)}`);
    }
    case 'candidate_disqualified': {
      const candidate = `The candidate ${short(data['candidate']).slice(0, 12)} was disqualified`;
      return line(`${candidate}: ${cut(textOf(data['detail']) ?? short(data['because']), MOST_DETAIL)}`);
    }
    case 'run_cancel_requested':
      return line(`Cancellation was requested: ${cut(textOf(data['detail']) ?? short(data['kind']), MOST_VALUE)}`);
    default:
      return [];
  }
}

const DELIVERIES = {
  delivery_failed: 'Delivery failed',
  delivery_refused: 'Delivery is impossible',
  reply_refused: 'A reply was not accepted',
};

/** Characters of a text that a line shows. */
const MOST_DETAIL = 400;
const MOST_VALUE = 160;
const MOST_NAME = 80;

function cut(text: string, most: number): string {
  const line = harmless(text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim());
  const characters = Array.from(line.slice(0, 2 * most + 2));
  return characters.length > most ? `${characters.slice(0, most).join('')}…` : line;
}

function short(value: Json | undefined): string {
  return cut(String(value ?? 'unknown'), MOST_NAME);
}

function toolOf({ server, tool }: JsonObject): string {
  return `${short(server)}/${short(tool)}`;
}

function took({ duration_ms: duration }: JsonObject): string {
  return typeof duration === 'number' ? ` after ${durationWords(duration)}` : '';
}

/** ", iteration 2" in a loop; nested loops have one number each. */
function turnWords({ iterations }: StepVisit): string {
  return iterations.length === 0 ? '' : `, iteration ${iterations.join('.')}`;
}

/** "the run 0192... of interaction/ask" without the id, which the line of the run has. */
function withoutIds(words: string): string {
  return cut(words.replaceAll(/ [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, ''), MOST_VALUE);
}

function timeOf({ metadata }: StoredEvent): number {
  return Date.parse(metadata.at);
}

function elapsed(from: StoredEvent | undefined, until: number): string {
  return durationWords(from === undefined ? 0 : Math.max(0, until - timeOf(from)));
}

function asObject(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
