// How the MCP tool of an exposed definition takes its input, where it differs from the definition.
import type { JsonObject } from '../../../shared/json.ts';
import { code } from '../../lib/schemas/index.ts';
import { adaptSchema, COMMON_RULES } from '../../lib/tool-schemas/index.ts';

/** Names in the sentence. */
const MOST_NAMED = 3;
const MOST_NAME = 64;

/** A warning, as a sentence; undefined if the tool takes the input as the definition does. */
export function exposedInputWarning(expose: boolean, schema: JsonObject | undefined): string | undefined {
  const adapted = expose && schema !== undefined ? adaptSchema(schema, COMMON_RULES) : undefined;
  if (adapted === undefined) return undefined;
  const { wrapper, names } = adapted;
  const reason =
    wrapper?.because === 'type' ? 'an input that is no object' : `${code(wrapper?.because ?? '')} at the top`;
  const parts = [
    ...(wrapper === undefined
      ? []
      : [`takes its input as the argument ${code(wrapper.name)}, because many models refuse tools with ${reason}`]),
    ...(names.size === 0
      ? []
      : [
          `names ${namedWords([...names])}, because many models refuse other characters in names and more than 64 of them`,
        ]),
  ];
  return parts.length === 0 ? undefined : `The MCP tool of this definition ${parts.join('; it ')}.`;
}

function namedWords(names: readonly (readonly [own: string, other: string])[]): string {
  const shown = names.slice(0, MOST_NAMED).map(([own, other]) => `${code(own.slice(0, MOST_NAME))} ${code(other)}`);
  const rest = names.length - shown.length;
  return `the properties ${shown.join(', ')}${rest === 0 ? '' : ` and ${rest} more`}`;
}
