import { SegmentedControl, Skeleton, Text } from '@mantine/core';
import { lazy, Suspense, useMemo, useState } from 'react';
import type { Json, JsonObject } from '../../shared/json.ts';
import { objectFormSchema } from './form-schema.ts';
import { JsonField } from './json-field.tsx';

const SchemaForm = lazy(async () => ({ default: (await import('./schema-form.tsx')).SchemaForm }));

export interface InputFormProps {
  schema: JsonObject | Readonly<Record<string, unknown>> | undefined;
  value: Json;
  onChange: (value: Json) => void;
}

/** One value as a form, made of its schema, or as JSON. Both write the same draft. */
export function InputForm({ schema, value, onChange }: InputFormProps) {
  const form = useMemo(() => objectFormSchema((schema ?? {}) as JsonObject), [schema]);
  const [asJson, setAsJson] = useState(form === undefined);
  return (
    <>
      {form !== undefined ? (
        <SegmentedControl
          size="xs"
          mb="sm"
          aria-label="How the input is written"
          data={['Form', 'JSON']}
          value={asJson ? 'JSON' : 'Form'}
          onChange={(chosen) => setAsJson(chosen === 'JSON')}
        />
      ) : (
        schema === undefined && (
          <Text size="sm" c="dimmed" mb="xs">
            It takes any JSON value.
          </Text>
        )
      )}
      {asJson || form === undefined ? (
        <JsonField value={value} onChange={onChange} />
      ) : (
        <Suspense fallback={<Skeleton height={260} />}>
          <SchemaForm schema={form} value={value} onChange={onChange} />
        </Suspense>
      )}
    </>
  );
}
