import { Text } from '@mantine/core';
import { lazy, useMemo } from 'react';
import type { JsonObject } from '../../shared/json.ts';
import { FormOrJson } from './form-or-json.tsx';
import { objectFormSchema } from './form-schema.ts';
import type { Writing } from './json-field.tsx';

const SchemaForm = lazy(async () => ({ default: (await import('./schema-form.tsx')).SchemaForm }));

export interface InputFormProps extends Writing {
  schema: JsonObject | Readonly<Record<string, unknown>> | undefined;
}

/** One value as a form, made of its schema, or as JSON. */
export function InputForm({ schema, ...writing }: InputFormProps) {
  const form = useMemo(() => objectFormSchema((schema ?? {}) as JsonObject), [schema]);
  return (
    <>
      {schema === undefined && (
        <Text size="sm" c="dimmed" mb="xs">
          It takes any JSON value.
        </Text>
      )}
      <FormOrJson
        {...writing}
        what="input"
        form={form && <SchemaForm schema={form} value={writing.value} onChange={writing.onChange} />}
        height={260}
      />
    </>
  );
}
