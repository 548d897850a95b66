import { Button, Group, Select, Tabs, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Save } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { DefinitionType } from '../../../shared/definition-types.ts';
import { call } from '../../api/call.ts';
import { type DefinitionKey, definitionQuery } from '../../api/queries.ts';
import type { Origin } from '../../editor/code-editor.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { beginningOf, OFFERED_TYPES } from './beginnings.ts';
import { DocumentEditor, type DocumentEditorProps } from './document-editor.tsx';
import { Gallery } from './gallery.tsx';
import { dropDraft, keepDraft, openDraft, useDraftLeft, useDraftWords } from '../../editor/drafts.ts';
import { dropInput, keepInput, readInput, runInputOf } from '../../forms/kept-input.ts';
import { RunPanel } from './run-panel.tsx';
import { useDraftKept } from './use-draft-kept.ts';
import { useKeptText } from './use-kept-text.ts';
import { isOfSource } from './use-source.ts';
import { useUsableModels } from './use-usable-models.ts';
import { useCommandKey } from '../../ui/keyboard.ts';
import { useKeptFocus } from '../../ui/use-kept-focus.ts';

type Tab = 'source' | 'run';

export function NewDefinitionPage() {
  const { playbook } = useParams({ from: '/playbooks/$playbook/definitions/new' });
  const { type } = useSearch({ from: '/playbooks/$playbook/definitions/new' });
  if (type === undefined) return <Gallery playbook={playbook} />;
  return <Writing key={`${playbook} ${type}`} playbook={playbook} type={type} />;
}

function Writing({ playbook, type }: { playbook: string; type: DefinitionType }) {
  const { tab = 'source' } = useSearch({ from: '/playbooks/$playbook/definitions/new' });
  const page = useNewDefinition(playbook, type, tab);
  const { draftKey, text, keep, show, runsAtOnce } = page;
  useCommandKey('s', page.save);
  const tabs = useRef<HTMLDivElement>(null);
  useKeptFocus(tab, () => tabs.current?.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]'));
  return (
    <div className="filled-page">
      <PageTitle title="New definition" />
      <Tabs
        value={tab}
        keepMounted={false}
        className="filled-tabs"
        onChange={(value) => show(type, value === 'run' ? 'run' : 'source')}
      >
        <Tabs.List ref={tabs}>
          <Tabs.Tab value="source">Source</Tabs.Tab>
          <Tabs.Tab value="run">Run</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="source">
          <NewSource
            definitionKey={draftKey}
            origin={page.origin}
            kept={page.keptText}
            text={text}
            onChange={(changed) => keep(page.name, changed)}
            onRun={page.run}
            error={page.error}
            fields={<Fields type={type} {...page} />}
            actions={<Actions {...page} />}
          />
        </Tabs.Panel>
        <Tabs.Panel value="run">
          <RunPanel
            definitionKey={draftKey}
            definition={undefined}
            source={{ text, isChanged: true, isRetired: false, replace: page.replace }}
            atOnce={runsAtOnce}
          />
        </Tabs.Panel>
      </Tabs>
    </div>
  );
}

type NewDefinition = ReturnType<typeof useNewDefinition>;

/** The draft of a new definition, and how it is saved. */
function useNewDefinition(playbook: string, type: DefinitionType, tab: Tab) {
  const navigate = useNavigate();
  // A new definition has no name yet, so its draft is stored under an empty one.
  const draftKey = { playbook, type, name: '' };
  const beginning = beginningOf(type, useUsableModels(type));
  const nameField = useRef<HTMLInputElement>(null);
  const [kept] = useState(() => openDraft(draftKey));
  const [name, setName] = useState(kept?.name ?? '');
  const [isNameMissing, setNameMissing] = useState(false);
  const [origin, setOrigin] = useState<Origin>({ text: kept?.text ?? beginning });
  const [text, setText] = useState(origin.text);
  const [runsAtOnce, setRunsAtOnce] = useState(false);
  const [begunWith, setBegunWith] = useState(beginning);
  useEffect(() => {
    // The list of models may arrive after the page.
    if (begunWith === beginning) return;
    setBegunWith(beginning);
    if (text !== begunWith) return;
    setText(beginning);
    setOrigin({ text: beginning });
  }, [beginning, begunWith, text]);
  const keptText = useKeptText();
  const draftWords = useDraftWords(draftKey);
  useDraftLeft(draftKey);
  useDraftKept(draftKey, `a new ${type}`);
  const keep = (called: string, written: string): void => {
    setName(called);
    setText(written);
    if (called === '' && written === beginning) dropDraft(draftKey);
    else keepDraft(draftKey, { base: 0, text: written, name: called });
  };
  const show = (shown: DefinitionType, value: Tab): void => {
    // When the source is shown again, it starts with the draft.
    setOrigin({ text, isEdit: true });
    setRunsAtOnce(false);
    void navigate({
      to: '/playbooks/$playbook/definitions/new',
      params: { playbook },
      search: { type: shown, ...(value === 'run' && { tab: value }) },
      replace: true,
    });
  };
  const saving = useSaving(draftKey, name, tab, () => show(type, 'source'));
  const save = (): void => {
    setNameMissing(name === '');
    if (name !== '') {
      if (!saving.isPending) saving.mutate(text);
    } else if (tab === 'source') nameField.current?.focus();
    // There, the field has the focus as long as it is empty.
    else show(type, 'source');
  };
  return {
    draftKey,
    name,
    nameField,
    isNameMissing,
    text,
    origin,
    keptText,
    draftWords,
    runsAtOnce,
    keep,
    show,
    save,
    isStarted: name !== '' || text !== beginning,
    isSaving: saving.isPending,
    error: isOfSource(saving.error) && saving.variables !== text ? null : saving.error,
    replace: (changed: string): void => {
      keep(name, changed);
      setOrigin({ text: changed, isEdit: true });
    },
    startOver: (): void => {
      keep('', beginning);
      dropInput(runInputOf(draftKey));
      setOrigin({ text: beginning, isEdit: true });
    },
    run: (): void => {
      show(type, 'run');
      setRunsAtOnce(readInput(runInputOf(draftKey)) !== undefined);
    },
  };
}

/** Saves the draft under its name, and opens the page of the definition. */
function useSaving(draftKey: DefinitionKey, name: string, tab: Tab, showSource: () => void) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const key = { ...draftKey, name };
  return useMutation({
    mutationFn: (source: string) => call('create_definition', { ...key, source }),
    async onSuccess(saved) {
      const input = readInput(runInputOf(draftKey));
      if (input !== undefined) keepInput(runInputOf(key), input);
      dropInput(runInputOf(draftKey));
      dropDraft(draftKey);
      await client.invalidateQueries({ queryKey: [key.playbook, 'definitions'] });
      // Its page is complete at once: a key that is pressed while a page loads would do nothing.
      client.setQueryData(definitionQuery(key).queryKey, saved);
      await navigate({
        to: '/playbooks/$playbook/definitions/$type/$name',
        params: key,
        search: tab === 'run' ? { tab } : {},
      });
    },
    onError() {
      // The reason is shown beside the source.
      if (tab === 'run') showSource();
    },
  });
}

function Fields({ type, show, name, nameField, isNameMissing, text, keep }: NewDefinition & { type: DefinitionType }) {
  return (
    <Group gap="xs" align="flex-start" wrap="nowrap">
      <Select
        size="xs"
        w={150}
        aria-label="Type"
        allowDeselect={false}
        data={OFFERED_TYPES}
        value={type}
        onChange={(value) => show(value as DefinitionType, 'source')}
      />
      <TextInput
        ref={nameField}
        size="xs"
        flex="1 1 210px"
        aria-label="Name"
        placeholder="Such as priority-score"
        // A new definition needs a name first.
        autoFocus={name === ''}
        value={name}
        error={isNameMissing && name === '' && 'Enter a name before you save.'}
        onChange={(event) => keep(event.currentTarget.value, text)}
      />
    </Group>
  );
}

function Actions({ isStarted, draftWords, startOver, isSaving, save }: NewDefinition) {
  return (
    <Group gap="xs">
      {isStarted && (
        <>
          <Text size="sm" c="dimmed">
            {draftWords}
          </Text>
          <Button size="xs" variant="default" onClick={startOver}>
            Start over
          </Button>
        </>
      )}
      <Button size="xs" leftSection={<Save size={14} aria-hidden />} loading={isSaving} onClick={save}>
        Save
      </Button>
    </Group>
  );
}

/** @param props `onRun` is called by the keyboard shortcut */
function NewSource({ onRun, ...props }: DocumentEditorProps & { onRun: () => void }) {
  useCommandKey('Enter', onRun);
  return <DocumentEditor {...props} />;
}
