import type { Issue } from '../../../../shared/issues.ts';
import type { JsonObject } from '../../../../shared/json.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import { jsonBytes } from '../../../lib/canonical-json.ts';
import { checkAttribute, issueAt } from './check-attribute.ts';
import { nestsAtMost } from './size.ts';

const MEMBERS: readonly string[] = ['type', 'id', 'source', 'subject', 'data'];
const REQUIRED = { type: 'is missing; say what happened, such as order.paid.' };

/** Every reason why an event cannot be sent to a run, with its pointer below `/event`. */
export function checkRunEvent(event: JsonObject): Issue[] {
  const issues: Issue[] = [];
  if (!Object.hasOwn(event, 'type')) issues.push(issueAt('type', REQUIRED.type));
  for (const [name, value] of Object.entries(event)) {
    if (MEMBERS.includes(name)) {
      for (const sentence of checkAttribute(name, value, REQUIRED)) issues.push(issueAt(name, sentence));
    } else issues.push(issueAt(name, `is not allowed; an event for a run has ${MEMBERS.join(', ')}.`));
  }
  // Deeper values are refused anyway, and must not reach code that recurses.
  if (!nestsAtMost(event, LIMITS.eventDataDepth + 1)) return issues;
  const bytes = jsonBytes(event);
  if (bytes > LIMITS.runEventBytes) {
    const detail = `\`event\` must have at most ${LIMITS.runEventBytes} bytes as JSON and has ${bytes}; shorten it.`;
    issues.push({ pointer: '/event', detail });
  }
  return issues;
}
