import { Button, Group, Input } from '@mantine/core';
import { ariaDescribedByIds, type WidgetProps } from '@rjsf/utils';
import { Check } from 'lucide-react';

/** A choice of few as buttons; pressing the chosen one takes the choice back. */
export function OptionsWidget({
  id,
  label,
  hideLabel,
  schema,
  required,
  value,
  options,
  onChange,
  ...rest
}: WidgetProps) {
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
