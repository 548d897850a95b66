import { useState } from 'react';
import { InlineCode } from '../../ui/inline-code.tsx';
import type { DescribedField } from '../schema/describe-field.ts';
import { fieldIssue } from '../schema/field-issue.ts';
import { type ShapedFieldProps, useForm, useReport } from './form-context.ts';

/**
 * What is wrong with a field. A missing value is shown only after the field was left.
 * @param problem why its text cannot be read
 */
export function useIssue({ field, value, isRequired }: ShapedFieldProps, problem?: string) {
  const { checks, notation } = useForm();
  const [isLeft, setLeft] = useState(false);
  const isMissing = isRequired && (value === undefined || (value === null && isEmptyItem(field)));
  const issue = isMissing ? undefined : fieldIssue(field, value, checks, notation);
  useReport(problem !== undefined ? 'unread' : isMissing || issue !== undefined ? 'invalid' : undefined);
  const missing = isMissing && isLeft ? 'This field is required.' : undefined;
  const text = problem ?? issue ?? missing;
  return { error: text === undefined ? undefined : <InlineCode>{text}</InlineCode>, onBlur: () => setLeft(true) };
}

/** A list has null where an item is still empty. */
function isEmptyItem({ isNullable, shape }: DescribedField): boolean {
  return !isNullable && !['choice', 'constant', 'json', 'null', 'variants'].includes(shape.kind);
}
