import '@mantine/dates/styles.layer.css';
import './schema-form.css';
import { Text } from '@mantine/core';
import { useCallback, useLayoutEffect, useMemo, useState } from 'react';
import type { Json, JsonObject } from '../../shared/json.ts';
import { Field } from './fields/field.tsx';
import { Context, type FieldState, type FormContext } from './fields/form-context.ts';
import { schemaChecks } from './schema/checks.ts';
import { numberNotation } from './text/number-text.ts';

export interface SchemaFormProps {
  /** A schema of `formSchema`. */
  schema: JsonObject;
  /** The name of the value, for example `input`. */
  what: string;
  value: Json;
  onChange: (value: Json) => void;
  /** A field has a text that cannot be read, so that the value must not be sent. */
  onUnread: (isUnread: boolean) => void;
  /** Whether a choice between few options is a row of buttons. */
  hasButtons?: boolean;
}

/** A form generated from a JSON Schema. Errors are shown at their fields; the service makes the final check. */
export function SchemaForm({ schema, what, value, onChange, onUnread, hasButtons = false }: SchemaFormProps) {
  const [states, setStates] = useState<ReadonlyMap<string, FieldState>>(new Map());
  const report = useCallback((id: string, state: FieldState | undefined) => {
    setStates((before) => {
      if (before.get(id) === state) return before;
      const after = new Map(before);
      if (state === undefined) after.delete(id);
      else after.set(id, state);
      return after;
    });
  }, []);
  const context = useMemo<FormContext>(
    () => ({ checks: schemaChecks(schema), notation: numberNotation(navigator.languages), hasButtons, report, Field }),
    [schema, hasButtons, report],
  );
  const isUnread = [...states.values()].includes('unread');
  useLayoutEffect(() => onUnread(isUnread), [isUnread, onUnread]);
  useLayoutEffect(() => () => onUnread(false), [onUnread]);
  const isObject = typeof value === 'object' && value !== null;
  // A rule that no field shows.
  const isOtherwiseInvalid = states.size === 0 && !context.checks.isValid(schema, value);
  return (
    <Context value={context}>
      <div className="schema-form">
        <Field
          schema={withoutTitle(schema)}
          label={`${what.charAt(0).toUpperCase()}${what.slice(1)}`}
          isLabelHidden
          isRoot
          value={value ?? undefined}
          isRequired
          onChange={(next) => onChange(next ?? (isObject ? {} : null))}
        />
        {isUnread && (
          <Text size="sm" c="red" role="alert" mt="sm">
            Correct the fields that cannot be read. Until then, nothing can be sent.
          </Text>
        )}
        {isOtherwiseInvalid && (
          <Text size="sm" c="red" role="alert" mt="sm">
            The {what} breaks a rule of its schema that no field shows. Edit it as JSON, or send it to see the rule.
          </Text>
        )}
      </div>
    </Context>
  );
}

/** The page already shows the title and description of the whole. */
function withoutTitle(schema: JsonObject): JsonObject {
  const { title: _title, description: _description, ...rest } = schema;
  return rest;
}
