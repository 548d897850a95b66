import type { Issue } from '../../../../shared/issues.ts';
import type { JsonObject } from '../../../../shared/json.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import { jsonBytes } from '../../../lib/canonical-json.ts';
import { checkAttribute, isStandard, issueAt, REQUIRED } from './check-attribute.ts';
import { mostBytes, nestsAtMost } from './size.ts';

/** The bytes of JSON that the id and the time take, which are filled in later. */
const FILLED_IN = { id: 'x'.repeat(36), time: 'x'.repeat(24) };
const FILLED_IN_BYTES = jsonBytes(FILLED_IN);

/** Every reason why an event cannot be published, with its pointer below `/event`; empty if there is none. */
export function checkPublishedEvent(event: JsonObject): Issue[] {
  const issues: Issue[] = [];
  for (const [name, sentence] of Object.entries(REQUIRED)) {
    if (!Object.hasOwn(event, name)) issues.push(issueAt(name, sentence));
  }
  const extensions = Object.keys(event).filter((name) => name !== 'data' && !isStandard(name)).length;
  const areTooMany = extensions > LIMITS.eventExtensions;
  if (areTooMany) {
    const detail = `\`event\` must have at most ${LIMITS.eventExtensions} extension attributes and has ${extensions}; move the others into \`data\`.`;
    issues.push({ pointer: '/event', detail });
  }
  for (const [name, value] of Object.entries(event)) {
    // If there are too many, issues of single ones do not help their author.
    if (areTooMany && name !== 'data' && !isStandard(name)) continue;
    for (const sentence of checkAttribute(name, value)) issues.push(issueAt(name, sentence));
  }
  return [...issues, ...checkSize(event)];
}

function checkSize(event: JsonObject): Issue[] {
  // Deeper values are refused anyway, and must not reach code that recurses.
  if (!nestsAtMost(event, LIMITS.eventDataDepth + 1)) return [];
  const bytes = mostBytes(event) + FILLED_IN_BYTES <= LIMITS.eventBytes ? 0 : jsonBytes({ ...FILLED_IN, ...event });
  if (bytes <= LIMITS.eventBytes) return [];
  const detail = `\`event\` must have at most ${LIMITS.eventBytes} bytes as JSON, its id and time included, and has ${bytes}; shorten it, or publish a link to the rest.`;
  return [{ pointer: '/event', detail }];
}
