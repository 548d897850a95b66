import { isJsonObject } from '../../../shared/json.ts';
import { shownJson, shownName } from './cut-text.ts';

const MOST_FORMS = 12;
const MOST_FIELDS = 3;

/** What the branches of a choice are called, where each has a title, or fields that it requires. */
export function formsWords(branches: unknown): string {
  const forms: readonly unknown[] = Array.isArray(branches) ? branches : [];
  const named = forms.map((form) => titleOf(form) ?? requiredWords(form)).filter((name) => name !== undefined);
  return named.length === forms.length && named.length <= MOST_FORMS
    ? `the forms ${named.join(', ')}`
    : 'the forms that the schema names';
}

function titleOf(form: unknown): string | undefined {
  const title = isJsonObject(form) ? form['title'] : undefined;
  return typeof title === 'string' && title.trim() !== '' ? shownJson(title) : undefined;
}

function requiredWords(form: unknown): string | undefined {
  const required = isJsonObject(form) ? form['required'] : undefined;
  if (!Array.isArray(required) || required.length === 0) return undefined;
  const names = required.slice(0, MOST_FIELDS).map((name) => shownName(String(name)));
  return `{ ${names.join(', ')}${required.length > MOST_FIELDS ? ', ...' : ''} }`;
}
