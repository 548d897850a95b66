// Where the standard takes any member, one that nobody reads is told: a mistyped filter would catch everything.
import { isJsonObject } from '../../../../../shared/json.ts';
import { nearestName } from '../../../../../shared/nearest-name.ts';
import { escapeToken } from '../../../../lib/json-pointer.ts';
import { filtersOf } from '../expressions/event-texts.ts';
import type { Findings } from '../../../../lib/yaml/index.ts';
import { code } from '../schema/sentences.ts';
import type { OpenMember } from '../placed.ts';
import type { Walk } from '../walk.ts';

const ATTRIBUTE = /^[a-z0-9]{1,20}$/;

export function checkOpenMembers({ document, steps }: Walk, findings: Findings): void {
  const schedule = document.schedule?.on;
  const filters = schedule === undefined ? [] : filtersOf(schedule, '/schedule/on');
  for (const step of steps) {
    filters.push(...(step.descriptor.filters?.(step) ?? []));
    for (const { value, known, pointer } of step.descriptor.openMembers?.(step) ?? []) {
      if (known !== 'attributes') check(value, known, pointer, findings);
      else if (isJsonObject(value)) checkAttributes(value, pointer, findings);
    }
  }
  for (const { filter, pointer } of filters) {
    for (const [name, correlation] of Object.entries(filter.correlate ?? {})) {
      check(correlation, ['from', 'expect'], `${pointer}/correlate/${escapeToken(name)}`, findings);
    }
    checkAttributes(filter.with, `${pointer}/with`, findings);
  }
}

function check(value: OpenMember['value'], known: readonly string[], pointer: string, findings: Findings): void {
  if (!isJsonObject(value)) return;
  for (const name of Object.keys(value)) {
    if (known.includes(name)) continue;
    const detail = (): string => {
      const near = nearestName(name, known);
      const instead =
        near === undefined
          ? `leave it out, or write one of ${known.map(code).join(', ')}.`
          : `did you mean ${code(near)}?`;
      return `${code(name)} has no effect here; ${instead}`;
    };
    findings.warn(`${pointer}/${escapeToken(name)}`, detail, 'key');
  }
}

function checkAttributes(attributes: object, pointer: string, findings: Findings): void {
  for (const name of Object.keys(attributes)) {
    if (ATTRIBUTE.test(name)) continue;
    const detail = `${code(name)} is not a valid event attribute: attribute names are 1 to 20 lowercase letters and digits; put it under \`data\`.`;
    findings.warn(`${pointer}/${escapeToken(name)}`, detail, 'key');
  }
}
