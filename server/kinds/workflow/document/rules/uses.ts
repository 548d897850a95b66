// What a document names has to be there: entries of `use`, functions, definitions by their form.
import { isJsonObject } from '../../../../../shared/json.ts';
import { nearestName } from '../../../../../shared/nearest-name.ts';
import { escapeToken } from '../../../../lib/json-pointer.ts';
import { CALL_KEYWORDS } from '../calls/forms.ts';
import type { Findings } from '../../../../lib/yaml/index.ts';
import { code } from '../schema/sentences.ts';
import type { Walk } from '../walk.ts';
import { policiesOf } from './calls.ts';

export function checkUses(walked: Walk, findings: Findings): void {
  const { document, steps } = walked;
  const use = document.use ?? {};
  const check = (entries: object | undefined, kind: string, pointer: string, name: unknown): void => {
    if (typeof name !== 'string' || (entries !== undefined && Object.hasOwn(entries, name))) return;
    refuseEntry(Object.keys(entries ?? {}), kind, pointer, name, findings);
  };
  const secrets = new Set(use.secrets ?? []);
  check(use.timeouts, 'timeouts', '/timeout', document.timeout);
  for (const { task, descriptor, pointer } of steps) {
    check(use.timeouts, 'timeouts', `${pointer}/timeout`, task.timeout);
    for (const entry of descriptor.entries?.({ task, pointer }) ?? []) {
      check(use[entry.of], entry.of, entry.pointer, entry.name);
    }
  }
  for (const { policy, pointer } of policiesOf(walked)) {
    check(use.authentications, 'authentications', `${pointer}/use`, policy['use']);
    for (const [scheme, own] of Object.entries(policy)) {
      if (!isJsonObject(own) || typeof own['use'] !== 'string' || secrets.has(own['use'])) continue;
      refuseEntry([...secrets], 'secrets', `${pointer}/${scheme}/use`, own['use'], findings);
    }
  }
  for (const step of steps) step.descriptor.checkCalled?.(step, document, findings);
}

function refuseEntry(names: readonly string[], kind: string, pointer: string, name: string, findings: Findings): void {
  findings.error(pointer, () => {
    const near = nearestName(name, names);
    const instead = near === undefined ? (insteadOf(kind, name) ?? 'add it there.') : `did you mean ${code(near)}?`;
    return `\`use.${kind}\` has no entry ${code(name)}; ${instead}`;
  });
}

/** Durations are often written where the name of a timeout stands. */
function insteadOf(kind: string, name: string): string | undefined {
  return kind === 'timeouts' && name.startsWith('P')
    ? `for a duration, write ${code(`{ after: ${name} }`)}.`
    : undefined;
}

/** Functions that hide a call of the language. */
export function checkFunctionNames({ document }: Walk, findings: Findings): void {
  for (const name of Object.keys(document.use?.functions ?? {})) {
    if (!CALL_KEYWORDS.includes(name)) continue;
    const detail = `\`call: ${name}\` is part of the language, so this function is never called; give it another name.`;
    findings.warn(`/use/functions/${escapeToken(name)}`, detail, 'key');
  }
}
