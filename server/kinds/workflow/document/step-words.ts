import { isJsonObject } from '../../../../shared/json.ts';
import type { Duration } from '../../../lib/duration.ts';
import type { CallTask, ConsumptionStrategy, Task } from './dsl.ts';
import { toolOf } from './references.ts';
import type { WalkedStep } from './walk.ts';

/** What a step does, in a few words. */
export function stepWords({ task }: WalkedStep): string {
  const condition = task.if === undefined ? '' : `if ${shown(task.if)}, `;
  const then = task.then === undefined || task.then === 'continue' ? '' : `, then ${thenWords(task.then)}`;
  return `${condition}${taskWords(task)}${then}`;
}

function taskWords(task: Task): string {
  if ('call' in task) return callWords(task);
  if ('emit' in task) return `emits an event of the type ${shown(task.emit.event.with['type'])}`;
  if ('for' in task)
    return typeof task.for.in === 'string'
      ? `for each of ${shown(task.for.in)}`
      : `for each of ${task.for.in.length} items`;
  if ('fork' in task) return task.fork.compete === true ? 'side by side, the first one wins' : 'side by side';
  if ('listen' in task) return `waits for ${strategyWords(task.listen.to)}`;
  if ('raise' in task) {
    const { error } = task.raise;
    return `raises the error ${shown(typeof error === 'string' ? error : (error.title ?? error.type))}`;
  }
  if ('run' in task)
    return `runs \`workflow/${task.run.workflow.name}\`${task.run.await === false ? ', without waiting for it' : ''}`;
  if ('set' in task)
    return typeof task.set === 'string'
      ? `sets ${shown(task.set)}`
      : `sets ${Object.keys(task.set).map(shown).join(', ')}`;
  if ('switch' in task) {
    const cases = task.switch.flatMap((item) => Object.entries(item));
    return cases
      .map(([name, { when, then }]) => `${when === undefined ? 'otherwise' : shown(name)} → ${thenWords(then)}`)
      .join('; ');
  }
  if ('try' in task) {
    const { retry } = task.catch;
    return retry === undefined ? 'tries' : 'tries, again where it fails';
  }
  if ('wait' in task) return `waits ${durationWords(task.wait)}`;
  return 'does in order';
}

function callWords(task: CallTask): string {
  const given = isJsonObject(task.with) ? task.with : {};
  switch (task.call) {
    case 'http': {
      const { endpoint, method } = given;
      return `sends ${shown(String(method).toUpperCase())} to ${shown(isJsonObject(endpoint) ? endpoint['uri'] : endpoint)}`;
    }
    case 'openapi':
      return `calls the operation ${shown(given['operationId'])}`;
    case 'mcp':
      return `asks an MCP server for ${shown(given['method'])}`;
    case 'tool':
      return `calls the tool ${shown(toolOf(task) ?? given['tool'])}`;
    default:
      return `calls ${shown(task.call)}`;
  }
}

function strategyWords(strategy: ConsumptionStrategy): string {
  if ('one' in strategy) return `an event of ${typeOf(strategy.one)}`;
  if ('all' in strategy) return `events of ${strategy.all.map(typeOf).join(' and ')}`;
  const types = strategy.any.length === 0 ? 'any event' : `an event of ${strategy.any.map(typeOf).join(' or ')}`;
  if (strategy.until === undefined) return types;
  const until = typeof strategy.until === 'string' ? shown(strategy.until) : strategyWords(strategy.until);
  return `${types}, until ${until}`;
}

function typeOf(filter: { with: object }): string {
  return shown((filter.with as { type?: unknown }).type ?? 'any type');
}

function thenWords(then: string): string {
  switch (then) {
    case 'continue':
      return 'on';
    case 'exit':
      return 'out of this list';
    case 'end':
      return 'the end';
    default:
      return shown(then);
  }
}

function durationWords(duration: Duration): string {
  if (typeof duration === 'string') return shown(duration);
  return Object.entries(duration)
    .map(([unit, count]) => `${count} ${count === 1 ? unit.replace(/s$/, '') : unit}`)
    .join(' ');
}

/** A text of the document as Markdown shows it: short, on one line. */
function shown(value: unknown): string {
  const text = String(value).replaceAll('`', "'").replaceAll(/\s+/g, ' ').trim();
  return `\`${text.length > 80 ? `${text.slice(0, 79)}…` : text}\``;
}
