import { Text } from '@mantine/core';
import { lazy, useMemo } from 'react';
import type { JsonObject } from '../../shared/json.ts';
import { FormOrJson } from './form-or-json.tsx';
import { objectFormSchema } from './form-schema.ts';
import type { EditedValue } from './json-field.tsx';

const SchemaForm = lazy(async () => ({ default: (await import('./schema-form.tsx')).SchemaForm }));

export interface InputFormProps extends EditedValue {
  schema: JsonObject | Readonly<Record<string, unknown>> | undefined;
}

/** Edits a run's input as a form, generated from its schema, or as JSON. */
export function InputForm({ schema, ...input }: InputFormProps) {
  const form = useMemo(() => objectFormSchema((schema ?? {}) as JsonObject), [schema]);
  return (
    <>
      {schema === undefined && (
        <Text size="sm" c="dimmed" mb="xs">
          Any JSON value is accepted.
        </Text>
      )}
      <FormOrJson
        {...input}
        what="input"
        form={form && <SchemaForm schema={form} value={input.value} onChange={input.onChange} />}
        height={260}
      />
    </>
  );
}
