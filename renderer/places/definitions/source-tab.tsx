import { Button, Group, Text } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { Save } from 'lucide-react';
import { useState } from 'react';
import type { Definition } from '../../../shared/api/index.ts';
import type { DefinitionKey } from '../../api/queries.ts';
import { useCommandKey } from '../../ui/keyboard.ts';
import { DocumentEditor } from './document-editor.tsx';
import { DraftNotice } from './draft-notice.tsx';
import { useDraftWords } from '../../editor/drafts.ts';
import type { Source } from './use-source.ts';
import { IfMay, MissingPermission } from '../../sign-in/if-may.tsx';
import { useMayCall } from '../../api/session/use-session.ts';

export interface SourceTabProps {
  definitionKey: DefinitionKey;
  definition: Definition;
  source: Source;
  /** Called by the keyboard shortcut, after saving. */
  onRun: () => void;
}

export function SourceTab({ definitionKey, definition, source, onRun }: SourceTabProps) {
  const { text, draft, isChanged, isRetired, isSaving, error, change, undo, save } = source;
  const isReadOnly = !useMayCall('update_definition') || isRetired;
  const { line } = useSearch({ from: '/playbooks/$playbook/definitions/$type/$name' });
  // When the tab is shown again, it starts with the draft.
  const [begun] = useState({ of: source.origin, origin: { ...source.origin, text } });
  const draftWords = useDraftWords(definitionKey);
  useCommandKey('Enter', () => {
    if (isChanged && !isReadOnly) save({ onSaved: onRun });
    else onRun();
  });

  return (
    <DocumentEditor
      definitionKey={definitionKey}
      origin={source.origin === begun.of ? begun.origin : source.origin}
      kept={source.kept}
      text={text}
      line={line}
      readOnly={isReadOnly}
      onChange={change}
      error={error}
      notice={
        draft !== undefined && (
          <DraftNotice definitionKey={definitionKey} definition={definition} draft={draft} onUndo={undo} />
        )
      }
      actions={
        <Group gap="xs">
          {isChanged && (
            <Text size="sm" c="dimmed">
              {draftWords}
            </Text>
          )}
          {isChanged && !isReadOnly && (
            <Button size="xs" variant="default" onClick={undo}>
              Undo all
            </Button>
          )}
          <MissingPermission call="update_definition" to="change this definition" />
          <IfMay call="update_definition">
            <Button
              size="xs"
              leftSection={<Save size={14} aria-hidden />}
              disabled={!isChanged || isReadOnly}
              loading={isSaving}
              onClick={() => save()}
            >
              Save
            </Button>
          </IfMay>
        </Group>
      }
    />
  );
}
