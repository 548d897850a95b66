// Rules for every text that describes a connection.
import type { Issue } from '../../../shared/issues.ts';
import { isJsonObject, type Json } from '../../../shared/json.ts';
import { escapeToken } from '../../lib/json-pointer.ts';
import { hasSecretForm } from './looks-secret.ts';

/** Control and format characters that hide or reorder text, lone surrogates, noncharacters. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{NChar}]/u;

/** Issues of the texts in a value, including the names of its members, each with its pointer. */
export function textIssues(value: Json, pointer: string): Issue[] {
  if (typeof value === 'string') return issuesOfText(value, pointer);
  if (Array.isArray(value)) return value.flatMap((item, index) => textIssues(item, `${pointer}/${index}`));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const at = `${pointer}/${escapeToken(name)}`;
    const inName = issuesOfText(name, at);
    return inName.length > 0 ? inName : textIssues(member, at);
  });
}

function issuesOfText(text: string, pointer: string): Issue[] {
  if (UNSEEN.test(text)) {
    return [{ pointer, detail: 'The text contains a control character or another invisible character; remove it.' }];
  }
  if (text.includes('${') || /%24%7b/i.test(text)) {
    return [
      {
        pointer,
        detail:
          'The text contains a reference such as ${NAME}, and references are not replaced here; for a variable of the operator, use a credential of the kind `reference`.',
      },
    ];
  }
  return hasSecretForm(text) ? [{ pointer, detail: LOOKS_SECRET }] : [];
}

export const LOOKS_SECRET =
  'The text looks like a credential. Remove it, choose a credential of the kind `secret`, and let the person enter the value on the connect page.';
