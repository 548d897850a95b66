import type { EmitTask } from '../../document/tasks/emit.ts';
import type { TaskEngine } from '../model.ts';
import { isJsonObject, type JsonObject } from '../../../../../shared/json.ts';
import { isoTime } from '../../../../lib/clock.ts';
import { derivedId } from '../../../../kernel/ids.ts';
import type { CloudEvent } from '../../../durable.ts';
import { fault } from '../faults.ts';
import { finish } from '../steps.ts';
import { fill } from '../values.ts';
import { nextCommand } from '../work.ts';

/** Publishes an event, with what the author left out filled in; the event is the output. */
export const EMIT_ENGINE: TaskEngine<EmitTask> = {
  *begin(work, visit, task) {
    const { reference } = visit.step;
    const given = yield* fill(work, visit, task.emit.event.with, visit.input);
    if (!isJsonObject(given)) throw fault('validation', 400, `The event of ${reference} is not an object.`);
    const { runId, now } = work.facts;
    const event: JsonObject = {
      specversion: '1.0',
      id: derivedId(`${runId} event ${nextCommand(work)}`),
      source: `/runs/${runId}`,
      time: isoTime(now),
      ...withoutNull(given),
    };
    // A run may name itself as the source, which callers may not.
    const issues = work.facts.checkEvent(event['source'] === `/runs/${runId}` ? { ...event, source: '/own' } : event);
    const [first] = issues;
    if (first !== undefined) {
      throw fault('validation', 400, `The event of ${reference} cannot be published: ${first.detail}`, { issues });
    }
    work.commands.push({ do: 'publish', event: event as CloudEvent });
    yield* finish(work, visit, event);
  },
  frames: {},
};

/** An attribute whose expression gave null is absent; `data` may be null. */
function withoutNull(attributes: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(attributes).filter(([name, value]) => value !== null || name === 'data'));
}
