import type { Issue } from './issues.ts';
import { LIMITS } from './limits.ts';

const MOST = {
  name: LIMITS.playbookNameCharacters,
  description: LIMITS.playbookDescriptionCharacters,
} as const;

/** How many characters of a text are stored: whitespace at either end is not. */
export function storedLength(text: string): number {
  return Array.from(text.trim()).length;
}

/** What is too long of the name and the description of a playbook. A JSON Schema counts before texts are trimmed. */
export function playbookTextIssues(texts: { name: string; description?: string | undefined }): Issue[] {
  return (['name', 'description'] as const).flatMap((field) => {
    const length = storedLength(texts[field] ?? '');
    const most = MOST[field];
    if (length <= most) return [];
    const detail = `\`${field}\` has ${length} characters, without the whitespace at its ends; it may have at most ${most}.`;
    return [{ pointer: `/${field}`, detail }];
  });
}
