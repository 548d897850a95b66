import { Button, Group, Select, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Save } from 'lucide-react';
import { useState } from 'react';
import type { DefinitionType } from '../../../shared/definition-types.ts';
import { createDefinition } from '../../api/operations.ts';
import { PageTitle } from '../../ui/page-title.tsx';
import { DocumentEditor } from './document-editor.tsx';
import { dropDraft, keepDraft, readDraft } from './drafts.ts';
import { BEGINNINGS, OFFERED_TYPES } from './beginnings.ts';

export function NewDefinitionPage() {
  const { playbook } = useParams({ from: '/playbooks/$playbook/definitions/new' });
  const { type = 'computation' } = useSearch({ from: '/playbooks/$playbook/definitions/new' });
  return <Writing key={`${playbook} ${type}`} playbook={playbook} type={type} />;
}

function Writing({ playbook, type }: { playbook: string; type: DefinitionType }) {
  const navigate = useNavigate();
  const client = useQueryClient();
  // A new document has no name yet: its draft stands under none.
  const draftKey = { playbook, type, name: '' };
  const [name, setName] = useState('');
  const [origin] = useState(() => ({ text: readDraft(draftKey)?.text ?? BEGINNINGS[type] ?? '' }));
  const [text, setText] = useState(origin.text);
  const saving = useMutation({
    mutationFn: () => createDefinition({ playbook, type, name }, text),
    async onSuccess() {
      dropDraft(draftKey);
      await client.invalidateQueries({ queryKey: [playbook, 'definitions'] });
      await navigate({
        to: '/playbooks/$playbook/definitions/$type/$name',
        params: { playbook, type, name },
      });
    },
  });
  const save = (): void => {
    if (name !== '') saving.mutate();
  };
  return (
    <div className="filled-page">
      <PageTitle title="New definition" />
      <DocumentEditor
        definitionKey={draftKey}
        origin={origin}
        text={text}
        onChange={(changed) => {
          setText(changed);
          keepDraft(draftKey, { base: 0, text: changed });
        }}
        onSave={save}
        error={saving.error}
        fields={
          <Group gap="xs">
            <Select
              size="xs"
              w={150}
              aria-label="Type"
              allowDeselect={false}
              data={OFFERED_TYPES}
              value={type}
              onChange={(value) =>
                void navigate({
                  to: '/playbooks/$playbook/definitions/new',
                  params: { playbook },
                  search: { type: value as DefinitionType },
                  replace: true,
                })
              }
            />
            <TextInput
              size="xs"
              w={200}
              aria-label="Name"
              placeholder="name, such as priority-score"
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
          </Group>
        }
        actions={
          <Button
            size="xs"
            leftSection={<Save size={14} aria-hidden />}
            disabled={name === ''}
            loading={saving.isPending}
            onClick={save}
          >
            Save
          </Button>
        }
      />
    </div>
  );
}
