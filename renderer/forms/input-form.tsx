import { Text } from '@mantine/core';
import { lazy, type ReactNode, useMemo, useState } from 'react';
import type { JsonObject } from '../../shared/json.ts';
import { FormOrJson } from './form-or-json.tsx';
import type { EditedValue } from './json-field.tsx';
import { formOf } from './schema/describe-field.ts';
import type { SchemaFormProps } from './schema-form.tsx';

const SchemaForm = lazy(async () => ({ default: (await import('./schema-form.tsx')).SchemaForm }));

export interface InputFormProps extends EditedValue, Pick<SchemaFormProps, 'onUnread' | 'hasButtons'> {
  schema: JsonObject | Readonly<Record<string, unknown>> | undefined;
  /** The name of the value; `input` by default. */
  what?: string;
  /** Shown for a schema without rules, instead of the sentence that any JSON value is accepted. */
  hint?: ReactNode;
}

/** Edits a value as a form, generated from its schema, or as JSON. */
export function InputForm({ schema, what = 'input', hint, onUnread, hasButtons, ...input }: InputFormProps) {
  const [textOfForm, setTextOfForm] = useState<string>();
  const form = useMemo(() => formOf((schema ?? {}) as JsonObject), [schema]);
  return (
    <>
      {form === undefined &&
        (saysNothing(schema) && hint !== undefined ? hint : <Sentence schema={schema} what={what} />)}
      <FormOrJson
        {...input}
        what={what}
        isOfForm={input.broken !== undefined && input.broken === textOfForm}
        onJson={() => setTextOfForm(undefined)}
        form={
          form && (
            <SchemaForm
              schema={form}
              what={what}
              value={input.value}
              onChange={input.onChange}
              onUnread={onUnread}
              onHalfWritten={(text) => {
                setTextOfForm(text);
                input.onBroken(text);
              }}
              hasButtons={hasButtons ?? false}
            />
          )
        }
        height={260}
      />
    </>
  );
}

function Sentence({ schema, what }: { schema: InputFormProps['schema']; what: string }) {
  return (
    <Text size="sm" c="dimmed" mb="xs">
      {saysNothing(schema) ? 'Any JSON value is accepted.' : `This schema has no form. Write the ${what} as JSON.`}
    </Text>
  );
}

const ANNOTATIONS = new Set(['$schema', 'title', 'description', '$comment', 'examples', 'default']);

function saysNothing(schema: InputFormProps['schema']): boolean {
  return Object.keys(schema ?? {}).every((keyword) => ANNOTATIONS.has(keyword));
}
