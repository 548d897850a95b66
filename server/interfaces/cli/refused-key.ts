// What to do about a credential that a published server refuses.
import type { JsonObject } from '../../../shared/json.ts';
import { problemWords } from './output.ts';

/**
 * A problem as text, followed by what to do if it is about the credential.
 * @param challenge the value of WWW-Authenticate, which shows whether people sign in at the server
 */
export function refusedKeyWords(
  problem: JsonObject,
  { server, challenge }: { server: string; challenge: string | null },
): string {
  const words = problemWords(problem);
  const hasKey = process.env['CUEBOOK_KEY'] !== undefined;
  if (problem['status'] === 401) {
    if (!hasKey && challenge?.includes('resource_metadata') === true) {
      return `You are not signed in to this server. Run \`cuebook login --server ${server}\`, or set CUEBOOK_KEY to a key of this server.`;
    }
    return hasKey
      ? `${words} Set CUEBOOK_KEY to a valid key of this server; its operator creates one with \`cuebook keys create\` and lists them with \`cuebook keys list\`.`
      : 'This server needs an API key, and CUEBOOK_KEY is not set. Set CUEBOOK_KEY to a key of this server; its operator creates one with `cuebook keys create`.';
  }
  if (problem['status'] !== 403 || !hasKey) return words;
  return `${words} Set CUEBOOK_KEY to a key that permits this; the operator of the server creates one with \`cuebook keys create\`.`;
}
