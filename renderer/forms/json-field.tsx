import { Textarea } from '@mantine/core';
import { useState } from 'react';
import type { Json } from '../../shared/json.ts';
import { isExact } from '../../shared/exact-numbers.ts';

/** A value that a person edits. */
export interface EditedValue {
  value: Json;
  /** A text that is not valid JSON. It is shown instead of the value. */
  broken: string | undefined;
  onChange: (value: Json) => void;
  onBroken: (text: string | undefined) => void;
}

/** Edits a value as JSON. Invalid text stays in the field and does not change the value. */
export function JsonField({ value, broken, onChange, onBroken, label }: EditedValue & { label: string }) {
  const [written, setWritten] = useState<{ text: string; of: Json }>();
  // Keeps the formatting of valid text until the value changes elsewhere, and invalid text until it is discarded.
  const whole = written !== undefined && written.of === value ? written.text : JSON.stringify(value, undefined, 2);
  return (
    <Textarea
      aria-label={label}
      autosize
      minRows={8}
      maxRows={26}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
      value={broken ?? whole}
      error={broken !== undefined && `This is not valid JSON: ${jsonError(broken)}`}
      onChange={({ currentTarget: { value: text } }) => {
        if (jsonError(text) !== undefined) return onBroken(text);
        const parsed = JSON.parse(text) as Json;
        setWritten({ text, of: parsed });
        onBroken(undefined);
        onChange(parsed);
      }}
    />
  );
}

/** Why a text is not JSON, or a number in it cannot be kept; undefined if all of it can. */
export function jsonError(text: string): string | undefined {
  let inexact: string | undefined;
  try {
    JSON.parse(text, (_name, value: unknown, context?: { source?: string }) => {
      const source = context?.source;
      if (typeof value === 'number' && source !== undefined && !isExact(source)) inexact ??= source;
      return value;
    });
    return inexact === undefined ? undefined : `the number ${inexact} has too many digits to be exact`;
  } catch (caught) {
    return caught instanceof Error ? caught.message : String(caught);
  }
}
