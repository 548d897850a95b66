import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useState } from 'react';
import type { Definition } from '../../../shared/api/index.ts';
import { call } from '../../api/call.ts';
import { type DefinitionKey, definitionQuery } from '../../api/queries.ts';
import type { KeptText, Origin } from '../../editor/code-editor.tsx';
import { ProblemError } from '../../api/problem-error.ts';
import { type Draft, dropDraft, keepDraft, openDraft, readDraft, useDraftLeft } from '../../editor/drafts.ts';
import { useKeptText } from './use-kept-text.ts';

/** A text that can run before it is saved. */
export interface DraftSource {
  /** The draft, or the saved source. */
  text: string;
  isChanged: boolean;
  isRetired: boolean;
  /** Changes the text from outside the editor, which then shows it. */
  replace: (text: string) => void;
}

export interface Source extends DraftSource {
  /** The text for the editor. */
  origin: Origin;
  /** The text in the editor, with its history. */
  kept: RefObject<KeptText | null>;
  draft: Draft | undefined;
  isSaving: boolean;
  /** Why the last save failed; cleared by a change if the source was the reason. */
  error: unknown;
  change: (text: string) => void;
  /** Discards the draft. */
  undo: () => void;
  /** Saves changes, if there are any. */
  save: (then?: { onSaved?: () => void; onFailed?: () => void }) => void;
}

/** The source of a definition, its draft and how it is saved, for all tabs. */
export function useSource(definitionKey: DefinitionKey, definition: Definition): Source {
  const client = useQueryClient();
  const [draft, setDraft] = useState(() => openDraft(definitionKey));
  const text = draft?.text ?? definition.source;
  // The editor keeps what is typed by itself; another text is given to it only when the document changed elsewhere and
  // nothing is unsaved, and when everything is undone.
  const [origin, setOrigin] = useState<Origin>({ text });
  const kept = useKeptText();
  useDraftLeft(definitionKey);
  const [shown, setShown] = useState(definition.version);
  if (draft === undefined && definition.version > shown) {
    setShown(definition.version);
    setOrigin({ text: definition.source });
  }
  const isRetired = definition.status === 'retired';
  const isChanged = draft !== undefined && draft.text !== definition.source;

  const keep = (next: Draft | undefined): void => {
    if (next === undefined) dropDraft(definitionKey);
    else keepDraft(definitionKey, next);
    setDraft(next);
  };
  const saving = useMutation({
    mutationFn: (sent: { source: string; known: number }) =>
      call('update_definition', { ...definitionKey, source: sent.source, expected_version: sent.known }),
    onError(error) {
      // The editor then shows who saved which version.
      if (isConflict(error)) void client.invalidateQueries({ queryKey: definitionQuery(definitionKey).queryKey });
    },
    onSuccess(saved, { source }) {
      // The editor already has this text; setting it again would move the caret.
      setShown(saved.version);
      client.setQueryData(definitionQuery(definitionKey).queryKey, saved);
      // Text typed in the meantime remains a draft of the new version.
      const now = readDraft(definitionKey);
      keep(now === undefined || now.text === source ? undefined : { base: saved.version, text: now.text });
      notifications.show({ message: `Saved as version ${saved.version}` });
    },
  });
  const { isError, variables: sent, reset } = saving;
  // The list of issues shows what is wrong with the source, and the notice of a draft which version it conflicts with.
  const isNoticed = draft !== undefined && draft.base !== definition.version;
  const isShownElsewhere =
    (isOfSource(saving.error) && sent?.source !== text) || (isConflict(saving.error) && isNoticed);
  useEffect(() => {
    // It was saved, but the response was lost.
    if (isError && sent?.source === definition.source) reset();
    if (draft === undefined) return;
    if (draft.text === definition.source) {
      // Already saved, here or in another window.
      dropDraft(definitionKey);
      setDraft(undefined);
    } else if (sent?.source === definition.source && draft.base !== definition.version) {
      // Text typed since then is based on the saved version.
      const rest = { ...draft, base: definition.version };
      keepDraft(definitionKey, rest);
      setDraft(rest);
    }
  }, [definitionKey, definition, draft, isError, sent, reset]);

  return {
    text,
    origin,
    kept,
    draft,
    isChanged,
    isRetired,
    isSaving: saving.isPending,
    error: isShownElsewhere ? null : saving.error,
    change: (changed) =>
      keep(changed === definition.source ? undefined : { base: draft?.base ?? definition.version, text: changed }),
    replace(changed) {
      keep(changed === definition.source ? undefined : { base: draft?.base ?? definition.version, text: changed });
      setOrigin({ text: changed, isEdit: true });
    },
    undo() {
      keep(undefined);
      // A draft of another version does not come back: saving it would take the changes of this version away.
      setOrigin({ text: definition.source, isEdit: draft?.base === definition.version });
    },
    save({ onSaved, onFailed } = {}) {
      if (!isChanged || isRetired || saving.isPending) return;
      saving.mutate(
        { source: text, known: definition.version },
        { onSuccess: () => onSaved?.(), onError: () => onFailed?.() },
      );
    },
  };
}

/** Whether someone else saved another version in the meantime. */
function isConflict(error: unknown): boolean {
  return error instanceof ProblemError && error.problem.kind === 'changed';
}

/** Whether only the source caused the rejection. */
export function isOfSource(error: unknown): boolean {
  return (
    error instanceof ProblemError &&
    error.problem.errors?.every(({ pointer }) => pointer.startsWith('/source')) === true
  );
}
