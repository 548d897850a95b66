import type { EmitTask } from '../../document/tasks/emit.ts';
import type { TaskEngine } from '../model.ts';
import { isJsonObject, type JsonObject } from '../../../../../shared/json.ts';
import { canonicalJson } from '../../../../lib/canonical-json.ts';
import { isoTime } from '../../../../lib/clock.ts';
import { derivedId } from '../../../../kernel/ids.ts';
import type { CloudEvent, Command } from '../../../durable.ts';
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
    const isTaken = work.facts.isTaken(event) || isTakenIn(work.commands, event);
    // A run may name itself as the source, which callers may not.
    const checked = event['source'] === `/runs/${runId}` ? { ...event, source: '/own' } : event;
    const issues = isTaken ? [TAKEN] : work.facts.checkEvent(checked);
    const [first] = issues;
    if (first !== undefined) {
      throw fault('validation', 400, `The event of ${reference} cannot be published: ${first.detail}`, { issues });
    }
    work.commands.push({ do: 'publish', event: event as CloudEvent });
    yield* finish(work, visit, event);
  },
  frames: {},
};

const TAKEN = {
  pointer: '/event/id',
  detail: 'The playbook already has an event with this source and id; remove `id`.',
};

/** Whether the same decision publishes another event with the same source and id. */
function isTakenIn(commands: readonly Command[], event: JsonObject): boolean {
  return commands.some(
    (command) =>
      command.do === 'publish' &&
      command.event.source === event['source'] &&
      command.event.id === event['id'] &&
      canonicalJson(command.event) !== canonicalJson(event),
  );
}

/** An attribute whose expression gave null is absent; `data` may be null. */
function withoutNull(attributes: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(attributes).filter(([name, value]) => value !== null || name === 'data'));
}
