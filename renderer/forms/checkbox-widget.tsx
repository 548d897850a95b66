import { Checkbox } from '@mantine/core';
import { labelValue, type WidgetProps } from '@rjsf/utils';

/** A checkbox with the description of its field below the label. */
export function CheckboxWidget(props: WidgetProps) {
  const { id, htmlName, name, value, required, disabled, readonly, label, hideLabel, schema, rawErrors, options } =
    props;
  return (
    <Checkbox
      id={id}
      name={htmlName ?? name}
      label={labelValue(label === '' ? undefined : label, hideLabel, false)}
      description={hideLabel === true ? undefined : (options.description ?? schema.description)}
      required={required ?? false}
      disabled={disabled === true || readonly === true}
      checked={value === true}
      error={rawErrors === undefined || rawErrors.length === 0 ? undefined : rawErrors.join('\n')}
      onChange={({ currentTarget }) => props.onChange(currentTarget.checked)}
      onBlur={() => props.onBlur(id, value)}
      onFocus={() => props.onFocus(id, value)}
    />
  );
}
