import { isJsonObject } from '../../../shared/json.ts';
import { cutText, shownJson } from './cut-text.ts';

/** The description and examples that a schema gives, in brackets; empty where it gives none. */
export function annotation(schema: unknown): string {
  if (!isJsonObject(schema)) return '';
  const { description, examples } = schema;
  const parts: string[] = [];
  if (typeof description === 'string') {
    const words = description.replace(/\s+/g, ' ').trim().replace(/\.$/, '');
    if (words !== '') parts.push(cutText(words, 300));
  }
  if (Array.isArray(examples) && examples.length > 0) {
    parts.push(`for example ${examples.slice(0, 3).map(shownJson).join(' or ')}`);
  }
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}
