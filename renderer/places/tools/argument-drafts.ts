// Arguments that a person wrote, kept while the page is open: they may hold what belongs into no store of the browser.
import type { Json } from '../../../shared/json.ts';
import type { ToolKey } from '../../api/queries.ts';

const drafts = new Map<string, Json>();

const nameOf = ({ playbook, server, tool }: ToolKey): string => JSON.stringify([playbook, server, tool]);

export function argumentDraft(key: ToolKey): Json {
  return drafts.get(nameOf(key)) ?? {};
}

export function keepArgumentDraft(key: ToolKey, value: Json): void {
  drafts.set(nameOf(key), value);
}
