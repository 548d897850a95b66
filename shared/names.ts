/** The pattern of playbook ids and definition names. */
export const NAME_PATTERN = '^[a-z][a-z0-9-]{2,47}$';
/** The same rule, for messages. */
export const NAME_RULE = '3 to 48 lowercase letters, digits and hyphens, beginning with a letter';

const NAME = new RegExp(NAME_PATTERN);

export function isName(text: string): boolean {
  return NAME.test(text);
}
