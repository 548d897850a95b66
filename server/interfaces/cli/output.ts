// Everything that a command writes. Texts come from programs, playbooks and services of others, so that what steers a
// terminal is written as it would stand in JSON.
import { isJsonObject, type JsonObject } from '../../../shared/json.ts';

/** Characters that steer a terminal or turn the direction of a line; tab and line feed are texts' own. */
const STEERING = /(?![\t\n])[\p{Cc}\p{Bidi_Control}]/gu;

/** Writes a result on stdout: data as JSON where that was asked for, else words. */
export function show(options: { json?: boolean | undefined }, data: unknown, words: () => string): void {
  process.stdout.write(`${harmless(options.json === true ? JSON.stringify(data) : words())}\n`);
}

/** Tells how the work goes, on stderr. */
export function progress(sentence: string): void {
  process.stderr.write(`${harmless(sentence)}\n`);
}

/** The text with what steers a terminal as `\uXXXX`, which is the same text inside JSON. */
export function harmless(text: string): string {
  return text.replaceAll(STEERING, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** What a problem document says at one place; `pointer` is a JSON Pointer into what was sent. */
export interface ProblemPlace {
  pointer: string;
  detail: string;
}

/** The places that a problem document points at. */
function placesOf({ errors }: JsonObject): ProblemPlace[] {
  const places = Array.isArray(errors) ? errors.filter(isJsonObject) : [];
  return places.map(({ pointer, detail }) => ({ pointer: String(pointer ?? ''), detail: String(detail ?? '') }));
}

/**
 * A problem in words: what is wrong, then each place. A detail that only repeats the first place is left out.
 * @param wordsOf how a place is told
 */
export function problemWords(problem: JsonObject, wordsOf: (place: ProblemPlace) => string = pointerFirst): string {
  const { title, detail } = problem;
  const head = String(detail ?? title ?? 'The service refused this without a word.');
  const places = placesOf(problem);
  const [first] = places;
  if (first === undefined) return head;
  if (!head.startsWith(first.detail)) return [head, ...places.map((place) => `  ${wordsOf(place)}`)].join('\n');
  return places.map(wordsOf).join('\n');
}

function pointerFirst({ pointer, detail }: ProblemPlace): string {
  return `${pointer === '' ? '/' : pointer}: ${detail}`;
}
