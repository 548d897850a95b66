import { lazy, useMemo } from 'react';
import type { Json, JsonObject } from '../../../shared/json.ts';
import { FormOrJson } from '../../forms/form-or-json.tsx';
import { formSchema, objectFormSchema } from '../../forms/form-schema.ts';
import type { EditedValue } from '../../forms/json-field.tsx';

const OptionsForm = lazy(async () => ({ default: (await import('../../forms/options-form.tsx')).OptionsForm }));

export interface AnswerFormProps extends EditedValue {
  schema: JsonObject;
}

/** The initial value of an answer. */
export function blankAnswer(schema: JsonObject): Json {
  return schema['type'] === 'object' ? {} : null;
}

/** Edits an answer as JSON, or as a form made from the schema recorded with the question. */
export function AnswerForm({ schema, ...writing }: AnswerFormProps) {
  const form = useMemo(() => formOf(schema), [schema]);
  return (
    <FormOrJson
      {...writing}
      what="answer"
      form={form && <OptionsForm schema={form} value={writing.value} onChange={writing.onChange} />}
      height={160}
    />
  );
}

function formOf(schema: JsonObject): JsonObject | undefined {
  const { type, enum: values } = schema;
  if (type === 'object') return objectFormSchema(schema);
  const isField = values !== undefined || ['boolean', 'string', 'number', 'integer', 'array'].includes(String(type));
  return isField ? formSchema(schema) : undefined;
}
