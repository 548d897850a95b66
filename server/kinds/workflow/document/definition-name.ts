import { type DefinitionType, isDefinitionType } from '../../../../shared/definition-types.ts';

/** What `call: TYPE/NAME` names; undefined for anything else. */
export function calledDefinition(call: string): { type: DefinitionType; name: string } | undefined {
  const slash = call.indexOf('/');
  if (slash === -1) return undefined;
  const [type, name] = [call.slice(0, slash), call.slice(slash + 1)];
  return isDefinitionType(type) ? { type, name } : undefined;
}
