import { ActionIcon, Button, TagsInput, Text, TextInput } from '@mantine/core';
import { X } from 'lucide-react';
import { useState } from 'react';
import { useIsNarrow } from '../../../ui/use-narrow.ts';
import { type ModelSetUp, useChangeSetUp } from './set-up-queries.ts';
import { ActionDialog } from '../../../ui/action-dialog.tsx';

/** Changes aliases and the allow list. */
export function NamesAndLimits({ setUp, onClose }: { setUp: ModelSetUp; onClose: () => void }) {
  const [aliases, setAliases] = useState(() => Object.entries(setUp.aliases).map(([from, to]) => ({ from, to })));
  const [allowed, setAllowed] = useState<string[]>(setUp.allowed ?? []);
  const saving = useChangeSetUp(onClose);
  const isNarrow = useIsNarrow();
  const change = (index: number, part: { from?: string; to?: string }): void =>
    setAliases((before) => before.map((one, at) => (at === index ? { ...one, ...part } : one)));

  const save = (): void => {
    const kept = aliases.filter(({ from, to }) => from.trim() !== '' && to.trim() !== '');
    const gone = Object.keys(setUp.aliases).filter((from) => !kept.some((one) => one.from.trim() === from));
    const isChanged = JSON.stringify(allowed) !== JSON.stringify(setUp.allowed ?? []);
    saving.mutate({
      aliases: Object.fromEntries([
        ...gone.map((from) => [from, null] as const),
        ...kept.map(({ from, to }) => [from.trim(), to.trim()] as const),
      ]),
      ...(isChanged ? { allowed: allowed.length === 0 ? null : allowed } : {}),
    });
  };

  return (
    <ActionDialog
      title="Aliases and allowed models"
      size="lg"
      action="Save"
      isPending={saving.isPending}
      error={saving.error}
      onAction={save}
      onClose={onClose}
    >
      <Text size="sm">
        A function that names an alias calls the model beside it. A <code>*</code> at the end of both matches any
        suffix.
      </Text>
      {aliases.map(({ from, to }, index) => (
        // Rows are only added at the end, and removed by their own button.
        <div key={index} className="alias">
          <TextInput
            label={index === 0 || isNarrow ? 'Alias' : undefined}
            aria-label={`Alias ${index + 1}`}
            placeholder="openai/gpt-5-mini"
            value={from}
            onChange={({ currentTarget: { value } }) => change(index, { from: value })}
          />
          <TextInput
            label={index === 0 || isNarrow ? 'Model' : undefined}
            aria-label={`Model of alias ${index + 1}`}
            placeholder="ollama/llama3.2"
            value={to}
            onChange={({ currentTarget: { value } }) => change(index, { to: value })}
          />
          <ActionIcon
            variant="subtle"
            size="lg"
            aria-label={`Remove alias ${index + 1}`}
            onClick={() => setAliases((before) => before.filter((_, at) => at !== index))}
          >
            <X size={15} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <div>
        <Button size="xs" variant="default" onClick={() => setAliases((before) => [...before, { from: '', to: '' }])}>
          Add an alias
        </Button>
      </div>
      <TagsInput
        label="Allowed models"
        description="The only models that functions may call. A * at the end matches any suffix. Leave empty to allow every model."
        value={allowed}
        onChange={setAllowed}
      />
    </ActionDialog>
  );
}
