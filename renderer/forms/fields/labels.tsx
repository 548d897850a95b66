import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Json } from '../../../shared/json.ts';
import { InlineCode } from '../../ui/inline-code.tsx';
import { type NumberNotation, numberText } from '../text/number-text.ts';
import type { ChoiceOption } from '../schema/describe-field.ts';
import type { ShapedFieldProps } from './form-context.ts';

/** The label and description of a field, as props of Mantine's inputs. */
export function labelProps({ label, isLabelHidden = false, isRequired, field }: ShapedFieldProps): {
  label?: ReactNode;
  'aria-label'?: string;
  description?: ReactNode;
  required: boolean;
} {
  const { description } = field.schema;
  return {
    ...(isLabelHidden ? { 'aria-label': label } : { label: <InlineCode>{label}</InlineCode> }),
    ...(typeof description === 'string' &&
      description !== '' && { description: <InlineCode>{description}</InlineCode> }),
    required: isRequired,
  };
}

export function RequiredMark() {
  return (
    <Text component="span" c="red" aria-hidden>
      {' *'}
    </Text>
  );
}

/** The first example of the schema. */
export function exampleOf({ field }: ShapedFieldProps): string | undefined {
  const { examples } = field.schema;
  const first = Array.isArray(examples) ? examples[0] : undefined;
  return typeof first === 'string' ? first : undefined;
}

/** The options' names; values that would look alike, such as 1 and "1", as JSON. */
export function optionLabels(options: readonly ChoiceOption[], notation: NumberNotation): string[] {
  const labels = options.map(({ value, title }) =>
    title !== undefined && title.trim() !== '' ? title : valueLabel(value, notation),
  );
  const isRepeated = (label: string): boolean => labels.indexOf(label) !== labels.lastIndexOf(label);
  return options.map(({ value, title }, at) => {
    const label = labels[at] ?? '';
    if (!isRepeated(label)) return label;
    return title === label ? `${title} (${JSON.stringify(value)})` : JSON.stringify(value);
  });
}

export function valueLabel(value: Json, notation: NumberNotation): string {
  switch (typeof value) {
    case 'string':
      return value.trim() === '' ? JSON.stringify(value) : value;
    case 'number':
      return numberText(value, notation);
    case 'boolean':
      return value ? 'Yes' : 'No';
    default:
      return JSON.stringify(value);
  }
}
