import { Textarea } from '@mantine/core';
import { useState } from 'react';
import type { Json } from '../../shared/json.ts';

/** A value that a person writes. */
export interface Writing {
  value: Json;
  /** What is written as JSON and does not parse: it is seen, and the value is not. */
  broken: string | undefined;
  onChange: (value: Json) => void;
  onBroken: (text: string | undefined) => void;
}

/** A value written as JSON. What does not parse stays as it was written, and changes nothing. */
export function JsonField({ value, broken, onChange, onBroken, label }: Writing & { label: string }) {
  const [written, setWritten] = useState<{ text: string; of: Json }>();
  // What parsed stands as it was written, until another value came from elsewhere; what does not, until it is dropped.
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
      error={broken !== undefined && `This is no JSON yet: ${faultOf(broken)}`}
      onChange={({ currentTarget: { value: text } }) => {
        if (faultOf(text) !== undefined) return onBroken(text);
        const parsed = JSON.parse(text) as Json;
        setWritten({ text, of: parsed });
        onBroken(undefined);
        onChange(parsed);
      }}
    />
  );
}

function faultOf(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (caught) {
    return caught instanceof Error ? caught.message : String(caught);
  }
}
