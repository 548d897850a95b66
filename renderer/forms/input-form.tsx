import { SegmentedControl, Skeleton, Text } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { Json, JsonObject } from '../../shared/json.ts';
import { JsonField } from './json-field.tsx';

const SchemaForm = lazy(async () => ({ default: (await import('./schema-form.tsx')).SchemaForm }));

export interface InputFormProps {
  schema: JsonObject | Readonly<Record<string, unknown>> | undefined;
  value: Json;
  onChange: (value: Json) => void;
}

/** One value as a form, made of its schema, or as JSON. Both write the same draft. */
export function InputForm({ schema, value, onChange }: InputFormProps) {
  const hasForm = schema?.['type'] === 'object' && schema['properties'] !== undefined;
  const [asJson, setAsJson] = useState(!hasForm);
  return (
    <>
      {hasForm ? (
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
      {asJson || schema === undefined ? (
        <JsonField value={value} onChange={onChange} />
      ) : (
        <Suspense fallback={<Skeleton height={260} />}>
          <SchemaForm schema={schema} value={value} onChange={onChange} />
        </Suspense>
      )}
    </>
  );
}
