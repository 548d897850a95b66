import { type ComponentType, createContext, useContext, useEffect, useId, useLayoutEffect } from 'react';
import type { Json } from '../../../shared/json.ts';
import type { SchemaChecks } from '../schema/checks.ts';
import { type DescribedField, describeField } from '../schema/describe-field.ts';
import type { NumberNotation } from '../text/number-text.ts';
import type { PlacedText } from '../text/half-written.ts';

/** `unread`: the text of the field is not a value of its type, so the form must not be sent. */
export type FieldState = 'unread' | 'invalid';

export interface FormContext {
  checks: SchemaChecks;
  notation: NumberNotation;
  /** Whether a choice between few options is a row of buttons. */
  hasButtons: boolean;
  report: (id: string, state: FieldState | undefined) => void;
  /** A text that is no JSON yet; undefined once it is. */
  reportText: (id: string, text: PlacedText | undefined) => void;
  /** The field for a schema: fields that have others inside are shown by it, and show them with it. */
  Field: ComponentType<FieldProps>;
}

export const Context = createContext<FormContext | undefined>(undefined);

export function useForm(): FormContext {
  const context = useContext(Context);
  if (context === undefined) throw new Error('A field is rendered outside of a form.');
  return context;
}

export interface FieldProps {
  schema: Json;
  label: string;
  /** The names and indexes that lead to the field. */
  at: PlacedText['at'];
  /** Undefined for an empty field. */
  value: Json | undefined;
  isRequired: boolean;
  /** Constant fields that are not shown, since the choice of a form sets them. */
  hidden?: ReadonlySet<string>;
  /** The label is read out, but not shown. */
  isLabelHidden?: boolean;
  /** The fields of an object stand without a frame. */
  isRoot?: boolean;
  onChange: (value: Json | undefined) => void;
}

/** A field whose schema was resolved. */
export interface ShapedFieldProps extends FieldProps {
  field: DescribedField;
}

export function useDescribed({ schema, value }: Pick<FieldProps, 'schema' | 'value'>): DescribedField {
  return describeField(schema, value, useForm().checks);
}

/** Reports the state of a field to the form while it is shown. */
export function useReport(state: FieldState | undefined): void {
  const id = useId();
  const { report } = useForm();
  useLayoutEffect(() => report(id, state), [id, report, state]);
  useEffect(() => () => report(id, undefined), [id, report]);
}

/** Reports a text that is no JSON yet to the form, which keeps it when it is no longer shown. */
export function useReportText(at: PlacedText['at'], text: string | undefined): void {
  const id = useId();
  const { reportText } = useForm();
  const location = JSON.stringify(at);
  useLayoutEffect(
    () => reportText(id, text === undefined ? undefined : { at: JSON.parse(location) as PlacedText['at'], text }),
    [id, reportText, location, text],
  );
  useEffect(() => () => reportText(id, undefined), [id, reportText]);
}
