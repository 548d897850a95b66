import { Button, Group, Select, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Save } from 'lucide-react';
import { useRef, useState } from 'react';
import type { DefinitionType } from '../../../shared/definition-types.ts';
import { call } from '../../api/call.ts';
import { PageTitle } from '../../ui/page-title.tsx';
import { BEGINNINGS, OFFERED_TYPES } from './beginnings.ts';
import { DocumentEditor } from './document-editor.tsx';
import { Gallery } from './gallery.tsx';
import { draftWords, dropDraft, keepDraft, readDraft } from './drafts.ts';
import { useDraftKept } from './use-draft-kept.ts';
import { isOfSource } from './use-source.ts';
import { useCommandKey } from '../../ui/keyboard.ts';

export function NewDefinitionPage() {
  const { playbook } = useParams({ from: '/playbooks/$playbook/definitions/new' });
  const { type } = useSearch({ from: '/playbooks/$playbook/definitions/new' });
  if (type === undefined) return <Gallery playbook={playbook} />;
  return <Writing key={`${playbook} ${type}`} playbook={playbook} type={type} />;
}

function Writing({ playbook, type }: { playbook: string; type: DefinitionType }) {
  const navigate = useNavigate();
  const client = useQueryClient();
  // A new definition has no name yet, so its draft is stored under an empty one.
  const draftKey = { playbook, type, name: '' };
  const beginning = BEGINNINGS[type] ?? '';
  const nameField = useRef<HTMLInputElement>(null);
  const [kept] = useState(() => readDraft(draftKey));
  const [name, setName] = useState(kept?.name ?? '');
  const [isNameMissing, setNameMissing] = useState(false);
  const [origin, setOrigin] = useState({ text: kept?.text ?? beginning });
  const [text, setText] = useState(origin.text);
  useDraftKept(draftKey, `a new ${type}`);
  const keep = (called: string, written: string): void => {
    setName(called);
    setText(written);
    if (called === '' && written === beginning) dropDraft(draftKey);
    else keepDraft(draftKey, { base: 0, text: written, name: called });
  };
  const saving = useMutation({
    mutationFn: (source: string) => call('create_definition', { playbook, type, name, source }),
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
    setNameMissing(name === '');
    if (name === '') nameField.current?.focus();
    else if (!saving.isPending) saving.mutate(text);
  };
  // Only saved definitions can run; the run panel is on their page.
  useCommandKey('Enter', save);
  useCommandKey('s', save);
  return (
    <div className="filled-page">
      <PageTitle title="New definition" />
      <DocumentEditor
        definitionKey={draftKey}
        origin={origin}
        text={text}
        onChange={(changed) => keep(name, changed)}
        error={isOfSource(saving.error) && saving.variables !== text ? null : saving.error}
        fields={
          <Group gap="xs" align="flex-start">
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
              ref={nameField}
              size="xs"
              w={210}
              aria-label="Name"
              placeholder="name, such as priority-score"
              // A new definition needs a name first.
              autoFocus
              value={name}
              error={isNameMissing && name === '' && 'Enter a name before you save.'}
              onChange={(event) => keep(event.currentTarget.value, text)}
            />
          </Group>
        }
        actions={
          <Group gap="xs">
            {(name !== '' || text !== beginning) && (
              <>
                <Text size="sm" c="dimmed">
                  {draftWords(draftKey)}
                </Text>
                <Button
                  size="xs"
                  variant="default"
                  onClick={() => {
                    keep('', beginning);
                    setOrigin({ text: beginning });
                  }}
                >
                  Start over
                </Button>
              </>
            )}
            <Button size="xs" leftSection={<Save size={14} aria-hidden />} loading={saving.isPending} onClick={save}>
              Save
            </Button>
          </Group>
        }
      />
    </div>
  );
}
