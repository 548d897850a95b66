// What a document names has to be there: entries of `use`, functions, definitions by their form.
import { DEFINITION_TYPES } from '../../../../../shared/definition-types.ts';
import { isJsonObject } from '../../../../../shared/json.ts';
import { isName } from '../../../../../shared/names.ts';
import { nearestName } from '../../../../../shared/nearest-name.ts';
import { escapeToken } from '../../../../lib/json-pointer.ts';
import { calledDefinition } from '../definition-name.ts';
import type { WorkflowDocument } from '../dsl.ts';
import type { Findings } from '../../../../lib/yaml/index.ts';
import { code } from '../schema/sentences.ts';
import type { WalkedStep, Walk } from '../walk.ts';
import { policiesOf } from './policies.ts';

const BUILT_IN_CALLS = ['http', 'openapi', 'mcp', 'tool'];

export function checkUses(walked: Walk, findings: Findings): void {
  const { document, steps } = walked;
  const use = document.use ?? {};
  const check = (entries: object | undefined, kind: string, pointer: string, name: unknown): void => {
    if (typeof name !== 'string' || (entries !== undefined && Object.hasOwn(entries, name))) return;
    refuseEntry(Object.keys(entries ?? {}), kind, pointer, name, findings);
  };
  const secrets = new Set(use.secrets ?? []);
  check(use.timeouts, 'timeouts', '/timeout', document.timeout);
  for (const { task, pointer } of steps) {
    check(use.timeouts, 'timeouts', `${pointer}/timeout`, task.timeout);
    if ('raise' in task) check(use.errors, 'errors', `${pointer}/raise/error`, task.raise.error);
    if ('try' in task) check(use.retries, 'retries', `${pointer}/catch/retry`, task.catch.retry);
  }
  for (const { policy, pointer } of policiesOf(walked)) {
    check(use.authentications, 'authentications', `${pointer}/use`, policy['use']);
    for (const [scheme, own] of Object.entries(policy)) {
      if (!isJsonObject(own) || typeof own['use'] !== 'string' || secrets.has(own['use'])) continue;
      refuseEntry([...secrets], 'secrets', `${pointer}/${scheme}/use`, own['use'], findings);
    }
  }
  for (const step of steps) checkCalled(step, document, findings);
}

function refuseEntry(names: readonly string[], kind: string, pointer: string, name: string, findings: Findings): void {
  findings.refuse(pointer, () => {
    const near = nearestName(name, names);
    const instead = near === undefined ? 'add it there.' : `did you mean ${code(near)}?`;
    return `\`use.${kind}\` has no entry ${code(name)}; ${instead}`;
  });
}

function checkCalled({ task, pointer }: WalkedStep, document: WorkflowDocument, findings: Findings): void {
  if ('run' in task) {
    const { name } = task.run.workflow;
    if (!isName(name)) refuseName(`${pointer}/run/workflow/name`, name, findings);
    return;
  }
  if (!('call' in task)) return;
  const { call } = task;
  const functions = document.use?.functions ?? {};
  if (BUILT_IN_CALLS.includes(call) || Object.hasOwn(functions, call)) return;
  const at = `${pointer}/call`;
  const called = calledDefinition(call);
  if (called !== undefined) {
    if (!isName(called.name)) refuseName(at, called.name, findings);
    return;
  }
  if (call.includes('@') || call.includes('://')) {
    const instead = 'copy it into `use.functions`, or make it a definition and write `call: TYPE/NAME`';
    findings.refuse(at, `Functions from catalogs and from addresses are not served: nothing is fetched; ${instead}.`);
    return;
  }
  if (call.includes('/')) {
    const types = DEFINITION_TYPES.join(', ');
    const near = nearestName(call.slice(0, call.indexOf('/')), DEFINITION_TYPES);
    const hint = near === undefined ? `write one of ${types} before the \`/\`.` : `did you mean ${code(near)}?`;
    findings.refuse(at, `${code(call)} names no type of definition; ${hint} (A tool is called by \`call: tool\`.)`);
    return;
  }
  findings.refuse(at, () => {
    const near = nearestName(call, [...Object.keys(functions), ...BUILT_IN_CALLS]);
    const hint =
      near === undefined ? 'add it there, or call a definition as TYPE/NAME.' : `did you mean ${code(near)}?`;
    return `\`use.functions\` has no entry ${code(call)}; ${hint}`;
  });
}

function refuseName(pointer: string, name: string, findings: Findings): void {
  const rule = '3 to 48 lowercase letters, digits and hyphens, a letter first';
  findings.refuse(pointer, `No definition can be called ${code(name)}; a name has ${rule}, and is no expression.`);
}

/** Functions that hide a call of the language. */
export function checkFunctionNames({ document }: Walk, findings: Findings): void {
  for (const name of Object.keys(document.use?.functions ?? {})) {
    if (!BUILT_IN_CALLS.includes(name)) continue;
    const detail = `\`call: ${name}\` is one of the language, so that this function is never called; give it another name.`;
    findings.warn(`/use/functions/${escapeToken(name)}`, detail, 'key');
  }
}
