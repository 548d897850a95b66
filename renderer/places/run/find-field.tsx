import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { useState } from 'react';

export interface FindFieldProps {
  label: string;
  value: string | undefined;
  onFind: (words: string | undefined) => void;
}

/** Milliseconds between the last key and the search. */
const PAUSE = 150;

/** A search field that updates the filter once a person pauses. */
export function FindField({ label, value = '', onFind }: FindFieldProps) {
  const [words, setWords] = useState(value);
  const find = useDebouncedCallback((now: string) => onFind(now.trim() === '' ? undefined : now.trim()), PAUSE);
  const change = (now: string): void => {
    setWords(now);
    find(now);
  };
  return (
    <TextInput
      size="xs"
      w={240}
      aria-label={label}
      placeholder={label}
      leftSection={<Search size={14} aria-hidden />}
      rightSection={words === '' ? null : <CloseButton size="xs" aria-label="Clear" onClick={() => change('')} />}
      value={words}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  );
}
