import '@mantine/dates/styles.layer.css';
import './schema-form.css';
import { Text } from '@mantine/core';
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Json, JsonObject } from '../../shared/json.ts';
import { Field } from './fields/field.tsx';
import { Context, type FieldState, type FormContext } from './fields/form-context.ts';
import { schemaChecks } from './schema/checks.ts';
import { halfWritten, type PlacedText } from './text/half-written.ts';
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
  /** The value as JSON, with the texts of fields that are no JSON yet; undefined once there are none. */
  onHalfWritten: (text: string | undefined) => void;
  /** Whether a choice between few options is a row of buttons. */
  hasButtons?: boolean;
}

/** A form generated from a JSON Schema. Errors are shown at their fields; the service makes the final check. */
export function SchemaForm({
  schema,
  what,
  value,
  onChange,
  onUnread,
  onHalfWritten,
  hasButtons = false,
}: SchemaFormProps) {
  const [states, report] = useReports<FieldState>();
  const [texts, reportText] = useReports<PlacedText>();
  const context = useMemo<FormContext>(
    () => ({
      checks: schemaChecks(schema),
      notation: numberNotation(navigator.languages),
      hasButtons,
      report,
      reportText,
      Field,
    }),
    [schema, hasButtons, report, reportText],
  );
  const isUnread = [...states.values()].includes('unread');
  useLayoutEffect(() => onUnread(isUnread), [isUnread, onUnread]);
  useLayoutEffect(() => () => onUnread(false), [onUnread]);
  const written = texts.size === 0 ? undefined : halfWritten(value, [...texts.values()]);
  const reported = useRef<string>(undefined);
  useLayoutEffect(() => {
    if (reported.current === written) return;
    reported.current = written;
    onHalfWritten(written);
  });
  const isObject = typeof value === 'object' && value !== null;
  // A rule that no field shows.
  const isOtherwiseInvalid = states.size === 0 && !context.checks.isValid(schema, value);
  return (
    <Context value={context}>
      <div className="schema-form">
        <Field
          schema={withoutTitle(schema)}
          label={`${what.charAt(0).toUpperCase()}${what.slice(1)}`}
          at={ROOT}
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

const ROOT: PlacedText['at'] = [];

/** What fields report, by their ids. */
function useReports<Report>(): [ReadonlyMap<string, Report>, (id: string, reported: Report | undefined) => void] {
  const [reports, setReports] = useState<ReadonlyMap<string, Report>>(new Map());
  const report = useCallback((id: string, reported: Report | undefined) => {
    setReports((before) => {
      if (before.get(id) === reported) return before;
      const after = new Map(before);
      if (reported === undefined) after.delete(id);
      else after.set(id, reported);
      return after;
    });
  }, []);
  return [reports, report];
}

/** The page already shows the title and description of the whole. */
function withoutTitle(schema: JsonObject): JsonObject {
  const { title: _title, description: _description, ...rest } = schema;
  return rest;
}
