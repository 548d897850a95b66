// Definitions that steps call by name.
import { type DefinitionType, isDefinitionType } from '../../../../shared/definition-types.ts';
import type { CheckContext } from '../../checked.ts';
import { missingWords } from '../../declarations.ts';
import type { Findings } from '../../../lib/yaml/index.ts';
import { code } from './schema/sentences.ts';

/** What `call: TYPE/NAME` names; undefined for anything else. */
export function calledDefinition(call: string): { type: DefinitionType; name: string } | undefined {
  const slash = call.indexOf('/');
  if (slash === -1) return undefined;
  const [type, name] = [call.slice(0, slash), call.slice(slash + 1)];
  return isDefinitionType(type) ? { type, name } : undefined;
}

export function refuseName(pointer: string, name: string, findings: Findings): void {
  const rule = '3 to 48 lowercase letters, digits and hyphens, starts with a letter';
  findings.error(pointer, `${code(name)} is not a valid definition name; a name has ${rule}, and is no expression.`);
}

export function warnMissing(
  pointer: string,
  { type, name }: { type: DefinitionType; name: string },
  context: Pick<CheckContext, 'nearestDefinition'>,
  findings: Findings,
): void {
  findings.warn(pointer, () => missingWords(context, type, name, 'save it before this workflow runs.'));
}
