// What to do about a credential that a published server refuses.
import type { JsonObject } from '../../../shared/json.ts';
import { problemWords } from './output.ts';

/** A problem as text, followed by what to do if it is about the key. @param key never quoted */
export function refusedKeyWords(problem: JsonObject, key: string | undefined): string {
  const words = problemWords(problem);
  if (problem['status'] === 401) {
    return key === undefined
      ? 'This server needs an API key, and CUEBOOK_KEY is not set. Set CUEBOOK_KEY to a key of this server; its operator creates one with `cuebook keys create`.'
      : `${words} Set CUEBOOK_KEY to a valid key of this server; its operator creates one with \`cuebook keys create\` and lists them with \`cuebook keys list\`.`;
  }
  if (problem['status'] !== 403 || key === undefined) return words;
  return `${words} Set CUEBOOK_KEY to a key that permits this; the operator of the server creates one with \`cuebook keys create\`.`;
}
