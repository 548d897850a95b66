// What to do about a credential that a published server refuses.
import type { CallerInfo } from '../../../shared/api/index.ts';
import type { JsonObject } from '../../../shared/json.ts';
import type { Presented } from './credential.ts';
import { problemWords } from './output.ts';

/** The request that was refused. */
export interface RefusedRequest {
  server: string;
  presented: Presented;
  /** The value of WWW-Authenticate, which shows whether people sign in at the server. */
  challenge: string | null;
  /** The org that the command names. */
  org: string | undefined;
  /** The caller that the credential belongs to; undefined if that is unknown, and for a status other than 403. */
  caller: CallerInfo | undefined;
}

/** A problem as text, followed by what to do if it is about the credential. */
export function refusedWords(problem: JsonObject, request: RefusedRequest): string {
  const words = problemWords(problem);
  if (problem['status'] === 401) return unauthenticatedWords(sentence(words), request);
  if (problem['status'] !== 403 || request.presented === 'nothing') return words;
  return foreignOrgWords(request) ?? forbiddenWords(sentence(words), request);
}

function unauthenticatedWords(words: string, { server, presented, challenge }: RefusedRequest): string {
  const login = `\`cuebook login --server ${server}\``;
  switch (presented) {
    case 'key':
      return `${words} Set CUEBOOK_KEY to a valid key of this server; its operator creates one with \`cuebook keys create\` and lists them with \`cuebook keys list\`.`;
    case 'login':
      return `${words} Run ${login} to sign in again. If the new login is refused too, ask the operator of the server: the identity service does not issue the tokens that it needs.`;
    case 'nothing':
      return challenge?.includes('resource_metadata') === true
        ? `You are not signed in to this server. Run ${login}, or set CUEBOOK_KEY to a key of this server.`
        : 'This server needs an API key, and CUEBOOK_KEY is not set. Set CUEBOOK_KEY to a key of this server; its operator creates one with `cuebook keys create`.';
  }
}

/** The sentence for a command that names another org than that of its credential; undefined if it does not. */
export function foreignOrgWords({
  server,
  presented,
  org,
  caller,
}: Omit<RefusedRequest, 'challenge'>): string | undefined {
  if (caller === undefined || caller.form === 'local' || org === undefined || org === caller.org) return undefined;
  return presented === 'login'
    ? `Your login for ${server} is for the org ${caller.org}, and --org names ${org}. Leave out --org, or run \`cuebook login --server ${server}\` and sign in to ${org}.`
    : `The key in CUEBOOK_KEY is for the org ${caller.org}, and --org names ${org}. Leave out --org, or set CUEBOOK_KEY to a key for ${org}.`;
}

/** @param words the server's, which name the permission that is missing */
function forbiddenWords(words: string, { server, presented, caller }: RefusedRequest): string {
  const holder = presented === 'login' ? 'Your login' : 'The key in CUEBOOK_KEY';
  const has = caller === undefined ? '' : ` ${holder} permits ${listed(caller)}.`;
  return presented === 'login'
    ? `${words}${has} Run \`cuebook login --server ${server}\` and grant more, or ask the operator of the identity service to permit it.`
    : `${words}${has} Set CUEBOOK_KEY to a key that permits this; the operator of the server creates one with \`cuebook keys create\`.`;
}

function listed({ permissions, all_playbooks: isUnlimited }: CallerInfo): string {
  if (permissions.length === 0) return 'nothing';
  return `${permissions.join(', ')}${isUnlimited ? '' : ', in some playbooks only'}`;
}

/** Details about tokens end without a full stop. */
function sentence(words: string): string {
  return /[.!?]$/.test(words) ? words : `${words}.`;
}
