import { useMemo } from 'react';
import { optionsLook } from './options-look.ts';
import { SchemaForm, type SchemaFormProps } from './schema-form.tsx';

/** A form in which few options are buttons. */
export function OptionsForm(props: Omit<SchemaFormProps, 'look'>) {
  const look = useMemo(() => optionsLook(props.schema), [props.schema]);
  return <SchemaForm {...props} look={look} />;
}
