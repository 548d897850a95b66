import { isJsonObject, type JsonObject } from '../../../shared/json.ts';

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
