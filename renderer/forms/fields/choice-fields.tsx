import { Button, Checkbox, Group, Input, Select, Stack } from '@mantine/core';
import { Check } from 'lucide-react';
import { useId } from 'react';
import type { Json } from '../../../shared/json.ts';
import type { ChoiceOption } from '../schema/describe-field.ts';
import { type ShapedFieldProps, useForm } from './form-context.ts';
import { labelProps, optionLabels, RequiredMark, valueLabel } from './labels.tsx';
import { useIssue } from './use-issue.tsx';

/** More options than this are chosen from a list. */
const MAX_BUTTONS = 6;

export type ChoiceProps = ShapedFieldProps & { options: readonly ChoiceOption[] };

const YES_OR_NO: readonly ChoiceOption[] = [
  { value: true, title: 'Yes' },
  { value: false, title: 'No' },
];

export function ChoiceField(props: ChoiceProps) {
  const { hasButtons } = useForm();
  const isFew = props.options.length <= MAX_BUTTONS;
  return hasButtons && isFew ? <ButtonsField {...props} /> : <SelectField {...props} />;
}

/** Yes, no or nothing where both must be possible to choose; otherwise a checkbox. */
export function FlagField(props: ShapedFieldProps) {
  const { hasButtons } = useForm();
  if (hasButtons || props.isRequired) return <ButtonsField {...props} options={YES_OR_NO} />;
  return <CheckboxField {...props} checkedValue={true} uncheckedValue={false} />;
}

/** A single value that is permitted. */
export function ConstantField(props: ShapedFieldProps & { constant: Json }) {
  const { notation } = useForm();
  const { constant, label } = props;
  const shown = constant === true ? label : `${label}: ${valueLabel(constant, notation)}`;
  return <CheckboxField {...props} label={shown} checkedValue={constant} uncheckedValue={undefined} />;
}

function CheckboxField({
  checkedValue,
  uncheckedValue,
  ...props
}: ShapedFieldProps & { checkedValue: Json; uncheckedValue: Json | undefined }) {
  const { error, onBlur } = useIssue(props);
  const { label, required, ...shown } = labelProps({ ...props, isLabelHidden: false });
  return (
    <Checkbox
      {...shown}
      label={
        <>
          {label}
          {required && <RequiredMark />}
        </>
      }
      required={required}
      checked={sameValue(props.value, checkedValue)}
      error={error}
      onBlur={onBlur}
      onChange={({ currentTarget }) => props.onChange(currentTarget.checked ? checkedValue : uncheckedValue)}
    />
  );
}

const sameValue = (a: Json | undefined, b: Json): boolean => JSON.stringify(a) === JSON.stringify(b);

function chosenIndex({ options, value }: ChoiceProps): number {
  return value === undefined ? -1 : options.findIndex((option) => sameValue(value, option.value));
}

function SelectField(props: ChoiceProps) {
  const { options, onChange, isRequired } = props;
  const { notation } = useForm();
  const { error, onBlur } = useIssue(props);
  const chosen = chosenIndex(props);
  return (
    <Select
      {...labelProps(props)}
      data={optionLabels(options, notation).map((name, index) => ({ value: String(index), label: name }))}
      value={chosen === -1 ? null : String(chosen)}
      placeholder="Choose"
      searchable={options.length > 12}
      clearable={!isRequired}
      clearButtonProps={{ 'aria-label': `Clear ${props.label}` }}
      allowDeselect={!isRequired}
      error={error}
      onBlur={onBlur}
      onChange={(index) => onChange(index === null ? undefined : options[Number(index)]?.value)}
    />
  );
}

/** Options as buttons. Pressing the chosen option clears the choice. */
function ButtonsField(props: ChoiceProps) {
  const { options, onChange, label } = props;
  const { notation } = useForm();
  const { error, onBlur } = useIssue(props);
  const id = useId();
  const names = optionLabels(options, notation);
  const chosen = chosenIndex(props);
  const { 'aria-label': hiddenLabel, ...shown } = labelProps(props);
  return (
    <Input.Wrapper
      {...shown}
      labelElement="div"
      labelProps={{ id: `${id}-label` }}
      error={error}
      errorProps={{ id: `${id}-error` }}
    >
      <Group
        gap="xs"
        mt={hiddenLabel === undefined ? 6 : 0}
        role="group"
        aria-label={hiddenLabel}
        aria-labelledby={hiddenLabel === undefined ? `${id}-label` : undefined}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
      >
        {options.map((option, index) => (
          <Button
            key={`${label} ${index}`}
            variant={index === chosen ? 'filled' : 'default'}
            leftSection={index === chosen ? <Check size={15} aria-hidden /> : undefined}
            aria-pressed={index === chosen}
            onBlur={onBlur}
            onClick={() => onChange(index === chosen ? undefined : option.value)}
          >
            {names[index]}
          </Button>
        ))}
      </Group>
    </Input.Wrapper>
  );
}

/** Several different options of a list. */
export function ChoicesField(props: ChoiceProps) {
  const { options, value, onChange, isRequired } = props;
  const { notation } = useForm();
  const { error, onBlur } = useIssue(props);
  const names = optionLabels(options, notation);
  const chosen = Array.isArray(value) ? value : [];
  const isChosen = (option: ChoiceOption): boolean => chosen.some((one) => sameValue(one, option.value));
  const change = (option: ChoiceOption, isAdded: boolean): void => {
    const next = options.filter((one) => (one === option ? isAdded : isChosen(one))).map((one) => one.value);
    onChange(next.length === 0 && !isRequired ? undefined : next);
  };
  return (
    <Checkbox.Group
      {...labelProps(props)}
      value={options.flatMap((one, at) => (isChosen(one) ? [String(at)] : []))}
      error={error}
    >
      <Stack gap={6} mt={6} onBlur={onBlur}>
        {options.map((option, index) => (
          <Checkbox
            key={index}
            value={String(index)}
            label={names[index]}
            onChange={({ currentTarget }) => change(option, currentTarget.checked)}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
