import { Alert, Anchor, Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { Save } from 'lucide-react';
import { useState } from 'react';
import type { Definition } from '../../../shared/schemas/index.ts';
import { type DefinitionKey, updateDefinition } from '../../api/operations.ts';
import { definitionQuery } from '../../api/queries.ts';
import { DocumentEditor } from './document-editor.tsx';
import { dropDraft, keepDraft, readDraft } from './drafts.ts';

export function SourceTab({ definitionKey, definition }: { definitionKey: DefinitionKey; definition: Definition }) {
  const client = useQueryClient();
  const { line } = useSearch({ from: '/playbooks/$playbook/definitions/$type/$name' });
  const [draft, setDraft] = useState(() => readDraft(definitionKey));
  const text = draft?.text ?? definition.source;
  // The editor keeps what is typed by itself; another text is given to it only when the document changed elsewhere and
  // nothing is unsaved, and when everything is undone.
  const [origin, setOrigin] = useState({ text });
  if (draft === undefined && origin.text !== definition.source) setOrigin({ text: definition.source });
  const isRetired = definition.status === 'retired';
  const isChanged = draft !== undefined && draft.text !== definition.source;

  const change = (changed: string): void => {
    const next = { base: draft?.base ?? definition.version, text: changed };
    if (changed === definition.source) dropDraft(definitionKey);
    else keepDraft(definitionKey, next);
    setDraft(changed === definition.source ? undefined : next);
  };
  const undo = (): void => {
    change(definition.source);
    setOrigin({ text: definition.source });
  };
  const saving = useMutation({
    mutationFn: (source: string) => updateDefinition(definitionKey, source),
    onSuccess(saved, source) {
      client.setQueryData(definitionQuery(definitionKey).queryKey, saved);
      // Keys that were pressed meanwhile stay a draft, of the new version.
      setDraft((now) => {
        if (now === undefined || now.text === source) {
          dropDraft(definitionKey);
          return undefined;
        }
        keepDraft(definitionKey, { base: saved.version, text: now.text });
        return { base: saved.version, text: now.text };
      });
      notifications.show({ message: `Saved: version ${saved.version}`, autoClose: 2_500 });
    },
  });

  return (
    <DocumentEditor
      definitionKey={definitionKey}
      origin={origin}
      text={text}
      line={line}
      readOnly={isRetired}
      onChange={change}
      onSave={() => {
        if (isChanged && !isRetired) saving.mutate(text);
      }}
      error={saving.error}
      notice={
        draft !== undefined &&
        draft.base !== definition.version && (
          <Alert color="yellow" py={8} title={`Version ${definition.version} was saved since you began`}>
            What you wrote is kept; saving makes it the next version.{' '}
            <Anchor
              size="sm"
              renderRoot={(props) => (
                <Link
                  {...props}
                  to="/playbooks/$playbook/definitions/$type/$name"
                  params={definitionKey}
                  search={{ tab: 'versions' }}
                />
              )}
            >
              What changed
            </Anchor>
          </Alert>
        )
      }
      actions={
        <Group gap="xs">
          {isChanged && (
            <Text size="sm" c="dimmed">
              Not saved yet
            </Text>
          )}
          {isChanged && (
            <Button size="xs" variant="default" onClick={undo}>
              Undo all
            </Button>
          )}
          <Button
            size="xs"
            leftSection={<Save size={14} aria-hidden />}
            disabled={!isChanged || isRetired}
            loading={saving.isPending}
            onClick={() => saving.mutate(text)}
          >
            Save
          </Button>
        </Group>
      }
    />
  );
}
