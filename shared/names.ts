/** What the id of a playbook and the name of a definition look like. */
export const NAME_PATTERN = '^[a-z][a-z0-9-]{2,47}$';
/** The same in words. */
export const NAME_RULE = '3 to 48 lowercase letters, digits and hyphens, beginning with a letter';

const NAME = new RegExp(NAME_PATTERN);

export function isName(text: string): boolean {
  return NAME.test(text);
}
