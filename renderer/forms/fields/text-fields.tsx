import { Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Json } from '../../../shared/json.ts';
import { jsonError } from '../json-field.tsx';
import { numberText, readNumber } from '../text/number-text.ts';
import { type ShapedFieldProps, useForm, useReportText } from './form-context.ts';
import { exampleOf, labelProps } from './labels.tsx';
import { useIssue } from './use-issue.tsx';

/** A text of any length. An empty one is not sent. */
export function TextField(props: ShapedFieldProps) {
  const { field, value, onChange } = props;
  const { error, onBlur } = useIssue(props);
  const common = {
    ...labelProps(props),
    placeholder: exampleOf(props),
    value: shownText(value),
    error,
    onBlur,
    onChange: (event: { currentTarget: { value: string } }) => {
      const text = event.currentTarget.value;
      onChange(text === '' ? undefined : text);
    },
  };
  // Texts of a format have one line.
  return field.schema['format'] === undefined ? (
    <Textarea {...common} autosize minRows={1} maxRows={14} />
  ) : (
    <TextInput {...common} autoComplete="off" spellCheck={false} />
  );
}

function shownText(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A number in the person's notation. The text stays as it was typed; the value is what it says, or the text itself. */
export function NumberField(props: ShapedFieldProps) {
  const { value, onChange } = props;
  const { notation } = useForm();
  const [typed, setTyped] = useState<{ text: string; value: Json | undefined }>();
  const text =
    typed !== undefined && typed.value === value
      ? typed.text
      : typeof value === 'number'
        ? numberText(value, notation)
        : shownText(value);
  const read = typeof value === 'number' ? undefined : readNumber(text, notation);
  const { error, onBlur } = useIssue(props, read !== undefined && 'problem' in read ? read.problem : undefined);
  return (
    <TextInput
      {...labelProps(props)}
      inputMode="decimal"
      autoComplete="off"
      spellCheck={false}
      placeholder={exampleOf(props)}
      value={text}
      error={error}
      onBlur={onBlur}
      onChange={({ currentTarget: { value: next } }) => {
        const number = readNumber(next, notation);
        const nextValue = number === undefined ? undefined : 'number' in number ? number.number : next;
        setTyped({ text: next, value: nextValue });
        onChange(nextValue);
      }}
    />
  );
}

/** Any JSON value, as JSON. @param onRead whether the text is JSON */
export function JsonValueField({ onRead, ...props }: ShapedFieldProps & { onRead?: (isRead: boolean) => void }) {
  const { value, onChange } = props;
  const [typed, setTyped] = useState<{ text: string; value: Json | undefined }>();
  const isTyped = typed !== undefined && typed.value === value;
  const text = isTyped ? typed.text : value === undefined ? '' : JSON.stringify(value, undefined, 2);
  const problem = text.trim() === '' ? undefined : jsonError(text);
  useReportText(props.at, problem === undefined ? undefined : text);
  const { error, onBlur } = useIssue(
    props,
    problem === undefined ? undefined : `This is not valid JSON; a text has quotation marks: ${problem}`,
  );
  return (
    <Textarea
      {...labelProps(props)}
      placeholder="JSON"
      autosize
      minRows={1}
      maxRows={14}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
      value={text}
      error={error}
      onBlur={onBlur}
      onChange={({ currentTarget: { value: next } }) => {
        const isBlank = next.trim() === '';
        const isRead = isBlank || jsonError(next) === undefined;
        onRead?.(isRead);
        if (!isRead) return setTyped({ text: next, value });
        const nextValue = isBlank ? undefined : (JSON.parse(next) as Json);
        setTyped({ text: next, value: nextValue });
        onChange(nextValue);
      }}
    />
  );
}
