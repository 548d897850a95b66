// The texts of a playbook, as requests give them. `playbookTextIssues` checks their length.
import Type from 'typebox';
import { LIMITS } from '../../../shared/limits.ts';

export const PLAYBOOK_NAME = Type.String({
  minLength: 1,
  pattern: '\\S',
  description: `The display name: 1 to ${LIMITS.playbookNameCharacters} characters. Whitespace at its ends is neither stored nor counted.`,
  examples: ['Wildlife strikes'],
});

export const PLAYBOOK_DESCRIPTION = Type.String({
  description: `What the playbook is for: at most ${LIMITS.playbookDescriptionCharacters} characters. Whitespace at its ends is neither stored nor counted.`,
});
