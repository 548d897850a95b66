import { Select, Stack } from '@mantine/core';
import { useRef, useState } from 'react';
import type { Json } from '../../../shared/json.ts';
import { blankOf } from '../schema/blank-value.ts';
import { switchedValue, type Variant, variantOf } from '../schema/variants.ts';
import { Fieldset } from './fieldset.tsx';
import { type ShapedFieldProps, useForm, useReport } from './form-context.ts';

/** A choice between forms, and the chosen one. */
export function VariantsField({
  variants,
  isRoot = false,
  ...props
}: ShapedFieldProps & { variants: readonly Variant[] }) {
  const { label, value, isRequired, onChange } = props;
  const { checks, Field } = useForm();
  const [chosen, setChosen] = useState<number>();
  // A value that was written elsewhere may be of another variant than the chosen one.
  const own = useRef(value);
  const at = chosen !== undefined && own.current === value ? chosen : variantOf(variants, value, checks);
  const variant = at === undefined ? undefined : variants[at];
  const write = (next: Json | undefined, choice: number | undefined): void => {
    own.current = next;
    setChosen(choice);
    onChange(next);
  };
  useReport(variant === undefined && (isRequired || value !== undefined) ? 'invalid' : undefined);
  const content = (
    <Stack gap="sm">
      <Select
        label={isRoot ? 'Kind' : `Kind of ${label}`}
        data={variants.map(({ title }, index) => ({ value: String(index), label: title }))}
        value={at === undefined ? null : String(at)}
        placeholder="Choose"
        required={isRequired}
        clearable={!isRequired}
        clearButtonProps={{ 'aria-label': `Clear the kind of ${label}` }}
        allowDeselect={!isRequired}
        onChange={(index) => {
          const next = index === null ? undefined : variants[Number(index)];
          if (next === undefined) write(undefined, undefined);
          else write(switchedValue(next, value, blankOf(next.schema, checks), checks), Number(index));
        }}
      />
      {variant !== undefined && (
        <Field
          key={at}
          schema={variant.schema}
          label={isRoot ? variant.title : label}
          at={props.at}
          isRoot
          isLabelHidden={!isRoot}
          hidden={new Set(Object.keys(variant.tags))}
          value={value}
          isRequired
          onChange={(next) => write(next, at)}
        />
      )}
    </Stack>
  );
  return isRoot ? content : <Fieldset {...props}>{content}</Fieldset>;
}
