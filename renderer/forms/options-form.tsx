import { Button, Group, Input } from '@mantine/core';
import { ariaDescribedByIds, type RJSFSchema, type UiSchema, type WidgetProps } from '@rjsf/utils';
import { Check } from 'lucide-react';
import { useMemo } from 'react';
import { SchemaForm, type SchemaFormProps } from './schema-form.tsx';

/** More options than this are chosen from a list. */
const MAX_BUTTONS = 6;

/** A form in which a choice between a few options is a row of buttons. */
export function OptionsForm(props: Omit<SchemaFormProps, 'look'>) {
  const look = useMemo(() => optionsLook(props.schema), [props.schema]);
  return <SchemaForm {...props} look={look} />;
}

/** The UI schema that shows each field with few options as buttons. */
function optionsLook({ type, enum: values, properties = {} }: RJSFSchema): UiSchema<unknown> {
  if (type === 'boolean' || (values !== undefined && values.length <= MAX_BUTTONS && values.every(isScalar))) {
    return { 'ui:widget': OptionsWidget };
  }
  const fields = Object.entries(properties).filter(([, field]) => typeof field === 'object');
  return Object.fromEntries(fields.map(([name, field]) => [name, optionsLook(field as RJSFSchema)]));
}

const isScalar = (value: unknown): boolean => value !== null && typeof value !== 'object';

/** Options as buttons. Pressing the chosen option clears the choice. */
function OptionsWidget({ id, label, hideLabel, schema, required, value, options, onChange, ...rest }: WidgetProps) {
  const { disabled = false, readonly = false, rawErrors = [] } = rest;
  return (
    <Input.Wrapper
      label={hideLabel === true ? undefined : label}
      labelElement="div"
      labelProps={{ id: `${id}-label` }}
      description={schema.description}
      required={required ?? false}
      error={rawErrors.length > 0 ? rawErrors.join(' ') : undefined}
    >
      <Group
        gap="xs"
        mt={6}
        role="group"
        aria-label={hideLabel === true ? label : undefined}
        aria-labelledby={hideLabel === true ? undefined : `${id}-label`}
        aria-describedby={ariaDescribedByIds(id)}
      >
        {options.enumOptions?.map((option, index) => {
          const isChosen = option.value === value;
          return (
            <Button
              key={option.label}
              id={index === 0 ? id : undefined}
              variant={isChosen ? 'filled' : 'default'}
              leftSection={isChosen ? <Check size={15} aria-hidden /> : undefined}
              aria-pressed={isChosen}
              disabled={disabled || readonly}
              onClick={() => onChange(isChosen ? undefined : option.value)}
            >
              {option.label}
            </Button>
          );
        })}
      </Group>
    </Input.Wrapper>
  );
}
