import { Checkbox, Stack } from '@mantine/core';
import { assertNever } from '../../../shared/assert-never.ts';
import { ChoiceField, ChoicesField, ConstantField, FlagField } from './choice-fields.tsx';
import { type FieldProps, type ShapedFieldProps, useDescribed, useForm } from './form-context.ts';
import { ListField } from './list-field.tsx';
import { ObjectField } from './object-field.tsx';
import { RecursiveField } from './recursive-field.tsx';
import { JsonValueField, NumberField, TextField } from './text-fields.tsx';
import { TimeField } from './time-field.tsx';
import { VariantsField } from './variants-field.tsx';

/** The field for a schema and its current value. A value that is only to be read stays as the schema has it. */
export function Field(props: FieldProps) {
  const field = useDescribed(props);
  const { readOnly, default: given } = field.schema;
  if (readOnly !== true || given === undefined) return <EditedField {...props} field={field} />;
  return (
    <fieldset className="schema-form-fixed" disabled>
      <EditedField {...props} field={field} />
    </fieldset>
  );
}

function EditedField({ field, ...props }: ShapedFieldProps) {
  if (!field.isNullable) return <ShapedField {...props} field={field} />;
  return (
    <Stack gap={6}>
      <ShapedField
        {...props}
        field={field}
        value={props.value ?? undefined}
        isRequired={props.isRequired && props.value !== null}
      />
      <Checkbox
        size="xs"
        label="No value (null)"
        aria-label={`No value (null) for ${props.label}`}
        checked={props.value === null}
        onChange={({ currentTarget }) => props.onChange(currentTarget.checked ? null : undefined)}
      />
    </Stack>
  );
}

function ShapedField(props: ShapedFieldProps) {
  const { checks } = useForm();
  const content = <FieldOfShape {...props} />;
  if (props.isRoot === true || !checks.isRecursive(props.schema)) return content;
  return <RecursiveField {...props}>{content}</RecursiveField>;
}

function FieldOfShape({ isRoot = false, ...props }: ShapedFieldProps) {
  const { shape } = props.field;
  switch (shape.kind) {
    case 'constant':
      return <ConstantField {...props} constant={shape.value} />;
    case 'choice':
      return <ChoiceField {...props} options={shape.options} />;
    case 'choices':
      return <ChoicesField {...props} options={shape.options} />;
    case 'flag':
      return <FlagField {...props} />;
    case 'number':
      return <NumberField {...props} />;
    case 'text':
      return <TextField {...props} />;
    case 'time':
      return <TimeField {...props} format={shape.format} />;
    case 'null':
      return <ConstantField {...props} constant={null} />;
    case 'json':
      return <JsonValueField {...props} />;
    case 'list':
      return <ListField {...props} shape={shape} />;
    case 'object':
      return <ObjectField {...props} shape={shape} isRoot={isRoot} />;
    case 'variants':
      return <VariantsField {...props} variants={shape.variants} isRoot={isRoot} />;
    default:
      return assertNever(shape);
  }
}
