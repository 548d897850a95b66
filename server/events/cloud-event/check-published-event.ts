import type { Issue } from '../../../shared/issues.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { jsonBytes } from '../../kernel/canonical-json.ts';
import { checkAttribute, issueAt, isStandard, REQUIRED } from './check-attribute.ts';
import { nestsAtMost } from './depth.ts';

/** What an event takes as JSON for the id and the time that are filled in later. */
const FILLED_IN = { id: 'x'.repeat(36), time: 'x'.repeat(24) };

/** Everything that keeps an event from being published, each at its pointer below `/event`; empty where nothing does. */
export function checkPublishedEvent(event: JsonObject): Issue[] {
  const issues: Issue[] = [];
  for (const [name, sentence] of Object.entries(REQUIRED)) {
    if (!Object.hasOwn(event, name)) issues.push(issueAt(name, sentence));
  }
  for (const [name, value] of Object.entries(event)) {
    for (const sentence of checkAttribute(name, value)) issues.push(issueAt(name, sentence));
  }
  return [...issues, ...checkWhole(event)];
}

/** What concerns the event as a whole. */
function checkWhole(event: JsonObject): Issue[] {
  const issues: Issue[] = [];
  const extensions = Object.keys(event).filter((name) => name !== 'data' && !isStandard(name)).length;
  if (extensions > LIMITS.eventExtensions) {
    const detail = `\`event\` must have at most ${LIMITS.eventExtensions} extension attributes and has ${extensions}; write what is more in \`data\`.`;
    issues.push({ pointer: '/event', detail });
  }
  // What nests deeper is refused anyway, and is not given to what recurses.
  if (!nestsAtMost(event, LIMITS.eventDataDepth + 1)) return issues;
  const bytes = jsonBytes({ ...FILLED_IN, ...event });
  if (bytes > LIMITS.eventBytes) {
    const detail = `\`event\` must have at most ${LIMITS.eventBytes} bytes as JSON, its id and time included, and has ${bytes}; shorten it, or publish where the rest is to be found.`;
    issues.push({ pointer: '/event', detail });
  }
  return issues;
}
