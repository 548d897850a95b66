// Filters that no event can match, and events that no workflow may emit.
import { isReservedEventType } from '../../../../../shared/schemas/events/index.ts';
import { escapeToken } from '../../../../lib/json-pointer.ts';
import { wholeExpression } from '../../../../lib/jq/index.ts';
import type { Findings } from '../../../../lib/yaml/index.ts';
import { withoutStrings } from '../expressions/evaluated-text.ts';
import { allFiltersOf, type PlacedFilter } from '../expressions/event-texts.ts';
import { code } from '../schema/sentences.ts';
import type { Walk } from '../walk.ts';

const INSTEAD = '`emit` an event with a type of your own where it happens, for example in a `catch`, and use that type';

export function checkEventFilters(walked: Walk, findings: Findings): void {
  for (const { filter, pointer } of placedFilters(walked)) {
    const { type } = filter.with;
    if (isRecorded(type)) refuseRecorded(`${pointer}/with/type`, type, findings);
    for (const [name, correlation] of Object.entries(filter.correlate ?? {})) {
      warnOfCorrelation(correlation, `${pointer}/correlate/${escapeToken(name)}`, findings);
    }
  }
  for (const { task, pointer, descriptor } of walked.steps) {
    const emitted = descriptor.emits?.({ task, pointer });
    if (emitted === undefined || !isRecorded(emitted.type)) continue;
    findings.error(
      emitted.pointer,
      `${code(emitted.type)} is a type of the service, which alone records such events; write another type.`,
    );
  }
}

function isRecorded(type: unknown): type is string {
  return typeof type === 'string' && isReservedEventType(type);
}

function refuseRecorded(pointer: string, type: string, findings: Findings): void {
  if (pointer.startsWith('/schedule/')) {
    const detail = `Events of the type ${code(type)}, which the service records itself, start no workflow; ${INSTEAD}.`;
    findings.error(pointer, detail);
    return;
  }
  const detail = `Events of the type ${code(type)}, which the service records itself, reach no run, so this never matches; ${INSTEAD}.`;
  findings.warn(pointer, detail);
}

/** `.data`, also in brackets: the field of that name in the event's data. */
const READS_DATA = /^\s*(?:\(\s*)?\.\s*(?:data\b|(?:\[\s*)?"data"(?:\s*\])?)/;

/** Whether `.` stands in it, outside of texts and behind no other value. */
function readsInput(expression: string): boolean {
  return /(?<![\w.\])}?])\.(?!\d)/.test(withoutStrings(expression));
}

function warnOfCorrelation({ from, expect }: { from: string; expect?: string }, at: string, findings: Findings): void {
  const expression = wholeExpression(from) ?? from;
  if (READS_DATA.test(expression)) {
    const field = expression.replace(READS_DATA, '').trim();
    findings.warn(
      `${at}/from`,
      `\`from\` reads the data of the event, not the event, so this is the field \`data\` in the data; for the data itself, write ${code(field.startsWith('.') || field.startsWith('[') ? field.replace(/^\[/, '.[') : '.')}.`,
    );
  }
  const expected = expect === undefined ? undefined : wholeExpression(expect);
  if (expected !== undefined && at.startsWith('/schedule/') && readsInput(expected)) {
    const detail =
      '`expect` in a schedule is evaluated before there is a run, so `.` is null, which no event has; write a fixed value, or leave `expect` out to gather events with equal values.';
    findings.warn(`${at}/expect`, detail);
  }
  if (expect !== undefined && expected === undefined) {
    const text = JSON.stringify(expect);
    const instead = /^\s*[.$]/.test(expect)
      ? `for its value, write ${code(`\${ ${expect.trim()} }`)}`
      : `for an expression, write it in \${ }; for the text, ${code(`\${ ${text} }`)}`;
    findings.warn(`${at}/expect`, `\`expect\` without \${ } is the text ${code(text)}; ${instead}.`);
  }
}

/** Every filter of a document: those of its schedule, and those of its steps. */
export function placedFilters({ document: { schedule }, steps }: Pick<Walk, 'document' | 'steps'>): PlacedFilter[] {
  return [
    ...(schedule?.on === undefined ? [] : allFiltersOf(schedule.on, '/schedule/on')),
    ...steps.flatMap(({ task, pointer, descriptor }) => descriptor.filters?.({ task, pointer }) ?? []),
  ];
}
