import { Textarea } from '@mantine/core';
import { useState } from 'react';
import type { Json } from '../../shared/json.ts';

export interface JsonFieldProps {
  value: Json;
  onChange: (value: Json) => void;
  label?: string;
  /** Told whether what is written does not parse: the value is then not what is seen. */
  onBroken?: (isBroken: boolean) => void;
}

/** A value written as JSON. What does not parse stays as it was written, and changes nothing. */
export function JsonField({ value, onChange, label = 'Input as JSON', onBroken }: JsonFieldProps) {
  const [written, setWritten] = useState<{ text: string; of: Json }>();
  // A value that came from elsewhere takes the place of what was written for another one.
  const text = written !== undefined && written.of === value ? written.text : JSON.stringify(value, undefined, 2);
  const [error, setError] = useState<string>();
  return (
    <Textarea
      aria-label={label}
      autosize
      minRows={8}
      maxRows={26}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
      value={text}
      error={error}
      onChange={({ currentTarget }) => {
        try {
          const parsed = JSON.parse(currentTarget.value) as Json;
          setWritten({ text: currentTarget.value, of: parsed });
          setError(undefined);
          onBroken?.(false);
          onChange(parsed);
        } catch (caught) {
          setWritten({ text: currentTarget.value, of: value });
          onBroken?.(true);
          setError(`This is no JSON yet: ${caught instanceof Error ? caught.message : String(caught)}`);
        }
      }}
    />
  );
}
