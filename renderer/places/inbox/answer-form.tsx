import { SegmentedControl, Skeleton } from '@mantine/core';
import { lazy, Suspense, useMemo, useState } from 'react';
import type { Json, JsonObject } from '../../../shared/json.ts';
import { formSchema, objectFormSchema } from '../../forms/form-schema.ts';
import { JsonField } from '../../forms/json-field.tsx';

const OptionsForm = lazy(async () => ({ default: (await import('../../forms/options-form.tsx')).OptionsForm }));

export interface AnswerFormProps {
  schema: JsonObject;
  value: Json;
  onChange: (value: Json) => void;
  /** What is written as JSON does not parse; the value is not what is seen. */
  isBroken: boolean;
  onBroken: (isBroken: boolean) => void;
}

/** What an answer is before anything is written. */
export function blankAnswer(schema: JsonObject): Json {
  return schema['type'] === 'object' ? {} : null;
}

/** An answer as a form, made of the schema that was recorded with the question, or as JSON. Both write one draft. */
export function AnswerForm({ schema, value, onChange, isBroken, onBroken }: AnswerFormProps) {
  const form = useMemo(() => formOf(schema), [schema]);
  const [asJson, setAsJson] = useState(form === undefined);
  return (
    <>
      {form !== undefined && (
        <SegmentedControl
          size="xs"
          mb="sm"
          aria-label="How the answer is written"
          data={['Form', 'JSON']}
          disabled={isBroken}
          value={asJson ? 'JSON' : 'Form'}
          onChange={(chosen) => setAsJson(chosen === 'JSON')}
        />
      )}
      {asJson || form === undefined ? (
        <JsonField value={value} onChange={onChange} label="Answer as JSON" onBroken={onBroken} />
      ) : (
        <Suspense fallback={<Skeleton height={160} />}>
          <OptionsForm schema={form} value={value} onChange={onChange} />
        </Suspense>
      )}
    </>
  );
}

function formOf(schema: JsonObject): JsonObject | undefined {
  const { type, enum: values } = schema;
  if (type === 'object') return objectFormSchema(schema);
  const isField = values !== undefined || ['boolean', 'string', 'number', 'integer', 'array'].includes(String(type));
  return isField ? formSchema(schema) : undefined;
}
