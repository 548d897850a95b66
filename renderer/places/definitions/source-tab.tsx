import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { Save } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Definition } from '../../../shared/schemas/index.ts';
import { type DefinitionKey, updateDefinition } from '../../api/operations.ts';
import { definitionQuery } from '../../api/queries.ts';
import { DocumentEditor } from './document-editor.tsx';
import { DraftNotice } from './draft-notice.tsx';
import { type Draft, draftWords, dropDraft, keepDraft, readDraft } from './drafts.ts';
import { useEnterKey } from '../../app/use-enter-key.ts';

export interface SourceTabProps {
  definitionKey: DefinitionKey;
  definition: Definition;
  /** Asked for with the keys; what is written is saved by then. */
  onRun: () => void;
}

export function SourceTab({ definitionKey, definition, onRun }: SourceTabProps) {
  const client = useQueryClient();
  const { line } = useSearch({ from: '/playbooks/$playbook/definitions/$type/$name' });
  const [draft, setDraft] = useState(() => readDraft(definitionKey));
  const text = draft?.text ?? definition.source;
  // The editor keeps what is typed by itself; another text is given to it only when the document changed elsewhere and
  // nothing is unsaved, and when everything is undone.
  const [origin, setOrigin] = useState({ text });
  const [shown, setShown] = useState(definition.version);
  // What was just saved is the editor's own text, and is known here a moment later.
  if (draft === undefined && shown !== definition.version) {
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
  const change = (changed: string): void =>
    keep(changed === definition.source ? undefined : { base: draft?.base ?? definition.version, text: changed });
  const undo = (): void => {
    keep(undefined);
    setOrigin({ text: definition.source });
  };
  const saving = useMutation({
    mutationFn: (sent: { source: string; known: number }) => updateDefinition(definitionKey, sent.source),
    onSuccess(saved, { source, known }) {
      client.setQueryData(definitionQuery(definitionKey).queryKey, saved);
      // Keys that were pressed meanwhile stay a draft, of the new version.
      const now = readDraft(definitionKey);
      keep(now === undefined || now.text === source ? undefined : { base: saved.version, text: now.text });
      const isAlone = saved.version <= known + 1;
      notifications.show(
        isAlone
          ? { message: `Saved: version ${saved.version}`, autoClose: 2_500 }
          : {
              title: `Saved: version ${saved.version}`,
              message: `Version ${saved.version - 1} was saved elsewhere just before. Compare the two under Versions.`,
              color: 'yellow',
              autoClose: false,
            },
      );
    },
  });
  const { isError, variables: sent, reset } = saving;
  useEffect(() => {
    // Saved all the same: the answer was lost.
    if (isError && sent?.source === definition.source) reset();
    if (draft === undefined) return;
    if (draft.text === definition.source) {
      // Saved already, here or in another window.
      dropDraft(definitionKey);
      setDraft(undefined);
    } else if (sent?.source === definition.source && draft.base !== definition.version) {
      // What was written since goes on from it.
      const rest = { ...draft, base: definition.version };
      keepDraft(definitionKey, rest);
      setDraft(rest);
    }
  }, [definitionKey, definition, draft, isError, sent, reset]);
  const save = (andThen?: () => void): void => {
    if (!isChanged || isRetired || saving.isPending) return;
    saving.mutate({ source: text, known: definition.version }, { onSuccess: () => andThen?.() });
  };
  useEnterKey(() => {
    if (isChanged && !isRetired) save(onRun);
    else onRun();
  });

  return (
    <DocumentEditor
      definitionKey={definitionKey}
      origin={origin}
      text={text}
      line={line}
      readOnly={isRetired}
      onChange={change}
      onSave={() => save()}
      error={saving.error}
      notice={
        draft !== undefined && (
          <DraftNotice definitionKey={definitionKey} definition={definition} draft={draft} onUndo={undo} />
        )
      }
      actions={
        <Group gap="xs">
          {isChanged && (
            <Text size="sm" c="dimmed">
              {draftWords(definitionKey)}
            </Text>
          )}
          {isChanged && !isRetired && (
            <Button size="xs" variant="default" onClick={undo}>
              Undo all
            </Button>
          )}
          <Button
            size="xs"
            leftSection={<Save size={14} aria-hidden />}
            disabled={!isChanged || isRetired}
            loading={saving.isPending}
            onClick={() => save()}
          >
            Save
          </Button>
        </Group>
      }
    />
  );
}
