import { NAME_PATTERN, NAME_RULE } from '../../../shared/names.ts';
import { cutText } from './cut-text.ts';

/** Patterns that people read worse than what they mean. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['\\S', 'hold more than white space'],
  [NAME_PATTERN, `be ${NAME_RULE}`],
  ['^[0-9a-f]{64}$', 'be 64 lowercase hexadecimal digits'],
  ['^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$', 'be a UUID'],
]);

/** What a text must do to match, as the end of a sentence. */
export function patternWords(pattern: string): string {
  return WORDS.get(pattern) ?? `match the pattern ${cutText(pattern, 200)}`;
}
