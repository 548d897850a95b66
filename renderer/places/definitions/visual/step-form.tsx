import { ActionIcon, Autocomplete, NativeSelect, Text, Textarea, TextInput } from '@mantine/core';
import { X } from 'lucide-react';
import type { RefObject } from 'react';
import type { Json } from '../../../../shared/json.ts';
import type { ChosenStep } from './chosen-step.ts';
import { jsonError } from '../../../forms/json-field.tsx';
import { fieldsOf, type StepField } from './step-fields.ts';
import { useCommittedText } from './use-committed-text.ts';
import type { StepEdits } from './use-step-edits.ts';

export interface StepFormProps {
  step: ChosenStep;
  /** The definitions that a step can call, as TYPE/NAME. */
  references: readonly string[];
  edits: Pick<StepEdits, 'rename' | 'set'>;
  nameField: RefObject<HTMLInputElement | null>;
  onClose: () => void;
}

/** The main fields of the chosen step. Each change is one edit of the source. */
export function StepForm({ step, references, edits, nameField, onClose }: StepFormProps) {
  const fields = fieldsOf(step.task);
  return (
    <section
      className="step-form"
      aria-label={`Fields of ${step.name}`}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        onClose();
      }}
    >
      <div className="step-form-head">
        <Text component="h2" size="sm" fw={650} truncate>
          {step.name}
        </Text>
        <ActionIcon variant="subtle" color="gray" aria-label="Close the form" onClick={onClose}>
          <X size={16} aria-hidden />
        </ActionIcon>
      </div>
      {step.task === undefined ? (
        <Text size="sm" c="dimmed">
          The source cannot be read, or no longer has this step. Correct the source first.
        </Text>
      ) : (
        <div className="step-form-fields">
          <CommittedText
            label="Name"
            of={step.pointer}
            inputRef={nameField}
            value={step.name}
            onCommit={(name) => name !== '' && edits.rename(step, name)}
          />
          {fields.map((field) => (
            <Field
              key={field.pointer}
              field={field}
              step={step}
              references={references}
              onCommit={(value) => edits.set(step, field.pointer, value)}
            />
          ))}
        </div>
      )}
    </section>
  );
}

interface FieldProps {
  field: StepField;
  step: ChosenStep;
  references: readonly string[];
  onCommit: (value: Json | undefined) => void;
}

function Field({ field, step, references, onCommit }: FieldProps) {
  const { label, kind, value, isRequired = false, placeholder } = field;
  const commitText = (text: string): void => {
    if (text !== '') onCommit(text);
    else if (!isRequired) onCommit(undefined);
  };
  switch (kind) {
    case 'json':
      return <JsonText of={step.pointer} field={field} onCommit={onCommit} />;
    case 'target':
      return (
        <NativeSelect
          size="xs"
          label={label}
          value={typeof value === 'string' ? value : ''}
          data={targetsOf(step, value, isRequired)}
          onChange={({ currentTarget }) => commitText(currentTarget.value)}
        />
      );
    case 'called':
    case 'text':
      return (
        <CommittedText
          of={step.pointer}
          label={label}
          value={typeof value === 'string' ? value : ''}
          placeholder={placeholder}
          options={kind === 'called' ? references : undefined}
          onCommit={commitText}
        />
      );
  }
}

/** Where a step can continue: with the next one, with another one of its list, or outside of it. */
function targetsOf(
  { name, list }: ChosenStep,
  value: Json | undefined,
  isRequired: boolean,
): { value: string; label: string }[] {
  const directives = ['continue', 'exit', 'end'];
  const names = [...directives, ...list.filter((other) => other !== name && !directives.includes(other))];
  if (typeof value === 'string' && !names.includes(value)) names.push(value);
  return [
    ...(isRequired ? [] : [{ value: '', label: 'the next step' }]),
    ...names.map((one) => ({ value: one, label: one })),
  ];
}

interface CommittedTextProps {
  /** The step; a text that was not committed is not shown in another one. */
  of: string;
  label: string;
  value: string;
  placeholder?: string | undefined;
  /** Texts that are offered. */
  options?: readonly string[] | undefined;
  inputRef?: RefObject<HTMLInputElement | null>;
  onCommit: (text: string) => void;
}

function CommittedText({ of, label, value, placeholder, options, inputRef, onCommit }: CommittedTextProps) {
  const { text, write, handlers } = useCommittedText({ of, value, onCommit });
  const common = {
    size: 'xs',
    label,
    placeholder,
    ref: inputRef,
    value: text,
    spellCheck: false,
    ...handlers,
  } as const;
  if (options === undefined) {
    return <TextInput {...common} onChange={({ currentTarget }) => write(currentTarget.value)} />;
  }
  return <Autocomplete {...common} data={[...options]} onChange={write} />;
}

function JsonText({ of, field, onCommit }: { of: string } & Pick<FieldProps, 'field' | 'onCommit'>) {
  const { label, value, isRequired = false } = field;
  const problemOf = (written: string): string | undefined => {
    if (written.trim() === '') return isRequired ? 'The step needs a value here.' : undefined;
    const error = jsonError(written);
    return error === undefined ? undefined : `This is not valid JSON: ${error}`;
  };
  const { text, write, isWriting, handlers } = useCommittedText({
    of,
    value: value === undefined ? '' : JSON.stringify(value, undefined, 2),
    isFit: (written) => problemOf(written) === undefined,
    onCommit: (written) => onCommit(written.trim() === '' ? undefined : (JSON.parse(written) as Json)),
  });
  const problem = isWriting ? undefined : problemOf(text);
  return (
    <Textarea
      size="xs"
      label={label}
      autosize
      minRows={1}
      maxRows={10}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      value={text}
      error={value === undefined && text === '' ? undefined : problem}
      {...handlers}
      onChange={({ currentTarget }) => write(currentTarget.value)}
    />
  );
}
