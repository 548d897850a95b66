// What SDKs get of a stream of events. Their parser takes each event as JSON, so that one keep-alive would lose the answer.
//
// 1. Lines without content are removed: comments, empty data, and words of keep-alives.
// 2. Each JSON text is an event of its own, also where a server leaves out the empty line, before another event or at the end.
// 3. An error that stands outside the data becomes data.
// 4. Arguments of tool calls are texts, as the APIs say; some servers send them as objects.
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';

const KEEP_ALIVE = /^(?:|null|""|\{\s*\}|\[\s*\]|"?(?:ping|pong|keep-?alive|heartbeat|processing)"?)$/i;
const DONE = '[DONE]';
/** llama.cpp names the field of an error so. */
const ERROR_FIELD = /^error:\s*(\{.*)$/;
const BARE_ERROR = /^\{\s*"error"\s*:/;

export interface EventCleaner {
  /** @param lines whole lines */
  clean: (lines: string) => string;
  /** What ends the last event. */
  end: () => string;
}

export function createEventCleaner(): EventCleaner {
  /** The last line of data of the event that is open. */
  let open: string | undefined;

  function cleanLine(line: string): string[] {
    if (line === '') {
      open = undefined;
      return [''];
    }
    if (line.startsWith(':')) return [];
    const error = errorOf(line);
    if (error !== undefined) return separate(error, true);
    if (line !== 'data' && !line.startsWith('data:')) return [line];
    const data = line.slice('data:'.length).trim();
    if (KEEP_ALIVE.test(data)) return [];
    const isNext = open?.endsWith('}') === true && (data.startsWith('{') || data === DONE);
    return separate(withTextArguments(data), isNext);
  }

  function separate(data: string, isNext: boolean): string[] {
    const before = isNext && open !== undefined ? [''] : [];
    open = data;
    return [...before, `data: ${data}`];
  }

  return {
    clean: (lines) =>
      lines
        .replace(/^\uFEFF/, '')
        .split(/\r\n|\n|\r/)
        .slice(0, -1)
        .flatMap(cleanLine)
        .map((line) => `${line}\n`)
        .join(''),
    end: () => (open === undefined ? '' : '\n'),
  };
}

function errorOf(line: string): string | undefined {
  if (BARE_ERROR.test(line)) return line;
  const [, error] = ERROR_FIELD.exec(line) ?? [];
  if (error === undefined) return undefined;
  return BARE_ERROR.test(error) ? error : `{"error":${error}}`;
}

const OTHER_ARGUMENTS = /"arguments"\s*:\s*[^"\s]/;
/** An answer that may have a call without arguments. */
const TOOL_CALLS = '"tool_calls"';

/** An answer, or the data of an event, in which the arguments of tool calls are texts. Other JSON is returned as it is. */
export function withTextArguments(text: string, isWhole = false): string {
  if (!OTHER_ARGUMENTS.test(text) && !(isWhole && text.includes(TOOL_CALLS))) return text;
  try {
    return JSON.stringify(withTextCalls(JSON.parse(text) as Json, isWhole));
  } catch {
    return text;
  }
}

/** The members that lead to calls. What a call itself contains is not looked at: it may have members of any name. */
const HOLDERS = ['choices', 'message', 'delta', 'tool_calls', 'output', 'item', 'response'];

function withTextCalls(value: Json, isWhole: boolean): Json {
  if (Array.isArray(value)) return value.map((item) => withTextCalls(item, isWhole));
  if (!isJsonObject(value)) return value;
  const { type, function: called } = value;
  if (typeof type === 'string' && /^(?:function_call$|response\.function_call_arguments\.)/.test(type)) {
    return withText(value, isWhole);
  }
  if (isJsonObject(called)) return { ...value, function: withText(called, isWhole) };
  const inner = HOLDERS.flatMap((name) => {
    const member = value[name];
    return member === undefined ? [] : [[name, withTextCalls(member, isWhole)] as const];
  });
  return { ...value, ...Object.fromEntries(inner) };
}

function withText(call: JsonObject, isWhole: boolean): JsonObject {
  const { arguments: given } = call;
  if (typeof given === 'string' || (given === undefined && !isWhole)) return call;
  return { ...call, arguments: given === undefined || given === null ? '' : JSON.stringify(given) };
}
