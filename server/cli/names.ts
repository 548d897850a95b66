/** What an id of a playbook or the name of a definition is, as the end of a sentence. */
export const NAME_RULE = 'is 3 to 48 lowercase letters, digits and hyphens, beginning with a letter';

/** Whether a text can be the id of a playbook or the name of a definition. */
export function isName(text: string): boolean {
  return /^[a-z][a-z0-9-]{2,47}$/.test(text);
}
