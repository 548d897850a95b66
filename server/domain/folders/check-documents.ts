// Checks the documents of a folder that are to be saved, before any is saved.
import type { Issue } from '../../../shared/issues.ts';
import type { Definitions, DefinitionDraft } from '../definitions/index.ts';
import type { PlaybookKey } from '../../kernel/log/index.ts';
import { createYielder } from '../../lib/event-loop.ts';
import { invalidInput, Refused } from '../../lib/rejection.ts';
import type { FolderDefinition, PlannedChanges } from './plan.ts';

/**
 * The drafts by TYPE/NAME.
 * @param needed whether every document that is new or differs has to be there; else those that lack are passed over
 * @throws Refused, which names each definition that is refused
 */
export async function checkDocuments(
  definitions: Pick<Definitions, 'draft' | 'addUseWarnings'>,
  playbookKey: PlaybookKey,
  folder: readonly FolderDefinition[],
  planned: PlannedChanges,
  needed: boolean,
): Promise<Map<string, DefinitionDraft>> {
  const saved = new Set(
    planned.definitions
      .filter(({ change }) => change === 'create' || change === 'update')
      .map(({ type, name }) => `${type}/${name}`),
  );
  const coming = new Set(folder.map(({ type, name }) => `${type}/${name}`));
  const drafts = new Map<string, DefinitionDraft>();
  const issues: Issue[] = [];
  const yieldIfLong = createYielder();
  for (const [index, { type, name, source }] of folder.entries()) {
    // oxlint-disable-next-line no-await-in-loop -- between two documents
    await yieldIfLong();
    const key = `${type}/${name}`;
    const pointer = `/definitions/${index}/source`;
    if (!saved.has(key)) continue;
    if (source === undefined) {
      if (needed) issues.push({ pointer, detail: `${key} is new or differs; send its source too.` });
      continue;
    }
    try {
      drafts.set(key, await definitions.draft(playbookKey, type, source, coming));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.rejection.reason !== 'invalid_input') throw named(key, error);
      for (const issue of error.rejection.issues ?? []) {
        issues.push({
          ...issue,
          pointer: issue.pointer.replace(/^\/source/, pointer),
          detail: `${key}: ${issue.detail}`,
        });
      }
    }
  }
  if (issues.length > 0) throw invalidInput(issues);
  await definitions.addUseWarnings(playbookKey, drafts);
  return drafts;
}

/** The refusal with the definition that it is about. */
function named(key: string, { rejection, problem, members }: Refused): Refused {
  return new Refused({ ...rejection, detail: `${key}: ${rejection.detail}` }, { problem, members });
}
