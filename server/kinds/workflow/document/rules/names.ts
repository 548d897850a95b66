// Names of steps and variables, and where `then` goes.
import { nearestName } from '../../../../../shared/nearest-name.ts';
import type { Findings } from '../../../../lib/yaml/index.ts';
import { ARGUMENTS } from '../expressions/evaluated-text.ts';
import { code } from '../schema/sentences.ts';
import { directivesOf, type Walk, type WalkedScope, type WalkedStep } from '../walk.ts';

const DIRECTIVES = ['continue', 'exit', 'end'];
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** jq's own. */
const RESERVED = ['ENV', '__loc__', '__prog_args'];

export function checkNames({ scopes, steps }: Walk, findings: Findings): void {
  for (const scope of scopes) checkStepNames(scope, findings);
  for (const step of steps) {
    for (const { pointer, then } of directivesOf(step)) checkTarget(step, pointer, then, findings);
    step.descriptor.check?.(step, findings);
    checkVariables(step, findings);
  }
}

function checkStepNames({ kind, steps }: WalkedScope, findings: Findings): void {
  const names = new Set<string>();
  for (const { name, pointer } of steps) {
    if (names.has(name)) {
      const list = kind === 'branches' ? 'fork' : 'list';
      findings.error(pointer, `Two steps of this ${list} are named ${code(name)}; give this one another name.`, 'key');
    }
    names.add(name);
    if (kind === 'list' && DIRECTIVES.includes(name)) {
      findings.warn(pointer, `A \`then\` cannot go to a step named ${code(name)}; rename the step.`, 'key');
    }
  }
}

function checkTarget({ scope }: WalkedStep, pointer: string, then: string, findings: Findings): void {
  if (DIRECTIVES.includes(then)) return;
  if (scope.kind !== 'list') {
    const what = scope.kind === 'branches' ? 'A branch of a fork' : 'A function';
    findings.error(
      pointer,
      `${what} cannot continue with another step; write \`continue\` or \`end\`, or remove \`then\`.`,
    );
    return;
  }
  if (scope.byName.has(then)) return;
  findings.error(pointer, () => {
    const near = nearestName(then, [...scope.byName.keys(), ...DIRECTIVES]);
    const instead =
      near === undefined
        ? 'write the name of a step of the same list, `continue`, `exit` or `end`.'
        : `did you mean ${code(near)}?`;
    return `No step of this list is named ${code(then)}; ${instead}`;
  });
}

function checkVariables(step: WalkedStep, findings: Findings): void {
  const { named = [], loop } = step.descriptor.variables?.(step) ?? {};
  for (const [at, name] of named) {
    if (name === undefined) continue;
    if (!VARIABLE.test(name) || RESERVED.includes(name)) {
      findings.error(
        at,
        `${code(name)} is not a valid variable name; write letters, digits and \`_\`, without the \`$\`.`,
      );
    } else if (ARGUMENTS.includes(name)) {
      findings.warn(at, `The variable ${code(name)} hides the argument \`$${name}\` in the steps below; rename it.`);
    }
  }
  const [item, location] = loop?.names ?? [];
  if (loop !== undefined && item !== undefined && item === location) {
    const detail = `The item and its index cannot both be named ${code(item)}; rename one of them.`;
    findings.error(loop.pointer, detail);
  }
}
