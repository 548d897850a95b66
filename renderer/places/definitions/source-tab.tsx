import { Button, Group, Text } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { Save } from 'lucide-react';
import { useState } from 'react';
import type { Definition } from '../../../shared/api/index.ts';
import type { DefinitionKey } from '../../api/queries.ts';
import { useCommandKey } from '../../ui/keyboard.ts';
import { DocumentEditor } from './document-editor.tsx';
import { DraftNotice } from './draft-notice.tsx';
import { draftWords } from './drafts.ts';
import type { Source } from './use-source.ts';

export interface SourceTabProps {
  definitionKey: DefinitionKey;
  definition: Definition;
  source: Source;
  /** Called by the keyboard shortcut, after saving. */
  onRun: () => void;
}

export function SourceTab({ definitionKey, definition, source, onRun }: SourceTabProps) {
  const { text, draft, isChanged, isRetired, isSaving, error, change, undo, save } = source;
  const { line } = useSearch({ from: '/playbooks/$playbook/definitions/$type/$name' });
  // When the tab is shown again, it starts with the draft.
  const [begun] = useState({ origin: source.origin, text });
  useCommandKey('Enter', () => {
    if (isChanged && !isRetired) save({ onSaved: onRun });
    else onRun();
  });

  return (
    <DocumentEditor
      definitionKey={definitionKey}
      origin={source.origin === begun.origin ? begun : source.origin}
      text={text}
      line={line}
      readOnly={isRetired}
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
            loading={isSaving}
            onClick={() => save()}
          >
            Save
          </Button>
        </Group>
      }
    />
  );
}
