// Where the standard takes any member, one that nobody reads is told: a mistyped filter would catch everything.
import { isJsonObject, type Json } from '../../../../../shared/json.ts';
import { nearestName } from '../../../../../shared/nearest-name.ts';
import { escapeToken } from '../../../../lib/json-pointer.ts';
import { filtersOf } from '../expressions/event-texts.ts';
import type { Findings } from '../../../../lib/yaml/index.ts';
import { code } from '../schema/sentences.ts';
import type { WalkedStep, Walk } from '../walk.ts';

const ERROR_MEMBERS = ['type', 'status', 'instance', 'title', 'detail', 'rejection'];
const MCP_MEMBERS = ['protocolVersion', 'method', 'parameters', 'timeout', 'transport', 'client'];
const ATTRIBUTE = /^[a-z0-9]{1,20}$/;

export function checkOpenMembers({ document, steps }: Walk, findings: Findings): void {
  const schedule = document.schedule?.on;
  const filters = schedule === undefined ? [] : filtersOf(schedule, '/schedule/on');
  for (const step of steps) {
    const { task, pointer } = step;
    if ('listen' in task) filters.push(...filtersOf(task.listen.to, `${pointer}/listen/to`));
    checkStep(step, findings);
  }
  for (const { filter, pointer } of filters) {
    for (const [name, correlation] of Object.entries(filter.correlate ?? {})) {
      check(correlation, ['from', 'expect'], `${pointer}/correlate/${escapeToken(name)}`, findings);
    }
    checkAttributes(filter.with, `${pointer}/with`, findings);
  }
}

function checkStep({ task, pointer }: WalkedStep, findings: Findings): void {
  if ('try' in task) {
    check(task.catch.errors, ['with'], `${pointer}/catch/errors`, findings);
    check(task.catch.errors?.with, ERROR_MEMBERS, `${pointer}/catch/errors/with`, findings);
  }
  if ('emit' in task) {
    check(task.emit.event, ['with'], `${pointer}/emit/event`, findings);
    checkAttributes(task.emit.event.with, `${pointer}/emit/event/with`, findings);
  }
  if ('call' in task && task.call === 'mcp' && isJsonObject(task.with)) {
    check(task.with, MCP_MEMBERS, `${pointer}/with`, findings);
    check(task.with['transport'], ['http', 'stdio', 'options'], `${pointer}/with/transport`, findings);
  }
}

function check(value: object | Json | undefined, known: readonly string[], pointer: string, findings: Findings): void {
  if (!isJsonObject(value)) return;
  for (const name of Object.keys(value)) {
    if (known.includes(name)) continue;
    const detail = (): string => {
      const near = nearestName(name, known);
      const instead =
        near === undefined
          ? `leave it out, or write one of ${known.map(code).join(', ')}.`
          : `did you mean ${code(near)}?`;
      return `Nothing reads ${code(name)} here; ${instead}`;
    };
    findings.warn(`${pointer}/${escapeToken(name)}`, detail, 'key');
  }
}

function checkAttributes(attributes: object, pointer: string, findings: Findings): void {
  for (const name of Object.keys(attributes)) {
    if (ATTRIBUTE.test(name)) continue;
    const detail = `No event has an attribute ${code(name)}: their names are 1 to 20 lowercase letters and digits; put it under \`data\`.`;
    findings.warn(`${pointer}/${escapeToken(name)}`, detail, 'key');
  }
}
