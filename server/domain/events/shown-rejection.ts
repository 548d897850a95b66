import { type Json, type JsonObject, isJsonObject } from '../../../shared/json.ts';
import { jsonBytes } from '../../lib/canonical-json.ts';
import { shortText } from './short-text.ts';

const ISSUES_SHOWN = 5;

/** Bytes that a text may take as JSON, tried in turn. The last makes every rejection fit into `LEAST_ROOM`. */
const TEXT_BYTES = [2048, 1024, 512, 256, 128, 64];

/** Bytes that a shortened rejection never exceeds. */
export const LEAST_ROOM = 1280;

/** A rejection as lists show it: how many issues there are and the first five; its texts are shortened to fit. */
export function shownRejection(rejection: JsonObject, room: number): JsonObject {
  const { reason = null, kind, because, detail = null, issues, issue_count: count } = rejection;
  const whole: JsonObject = {
    reason,
    ...(kind === undefined ? {} : { kind }),
    ...(because === undefined ? {} : { because }),
    detail,
    ...(Array.isArray(issues)
      ? { issue_count: count ?? issues.length, issues: issues.slice(0, ISSUES_SHOWN).map(shownIssue) }
      : {}),
  };
  let shown = whole;
  for (const bytes of TEXT_BYTES) {
    if (jsonBytes(shown) <= room) return shown;
    shown = withShortTexts(whole, bytes);
  }
  return shown;
}

function shownIssue(issue: Json): JsonObject {
  const { pointer = null, detail = null } = isJsonObject(issue) ? issue : {};
  return { pointer, detail };
}

function withShortTexts(holder: JsonObject, bytes: number): JsonObject {
  const shorten = (value: Json): Json => {
    if (typeof value === 'string') return shortText(value, bytes);
    if (Array.isArray(value)) return value.map(shorten);
    return isJsonObject(value) ? withShortTexts(value, bytes) : value;
  };
  return Object.fromEntries(Object.entries(holder).map(([name, value]) => [name, shorten(value)]));
}
