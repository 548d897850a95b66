// What is wrong with the name of a definition that a step calls.
import type { Findings } from '../../../../lib/yaml/index.ts';
import { code } from '../schema/sentences.ts';

export function refuseName(pointer: string, name: string, findings: Findings): void {
  const rule = '3 to 48 lowercase letters, digits and hyphens, a letter first';
  findings.refuse(pointer, `No definition can be called ${code(name)}; a name has ${rule}, and is no expression.`);
}

export function warnMissing(pointer: string, reference: string, findings: Findings): void {
  findings.warn(pointer, `The playbook has no active ${code(reference)}; save it before this workflow runs.`);
}
