import '@mantine/dates/styles.layer.css';
import { withTheme } from '@rjsf/core';
import { Theme } from '@rjsf/mantine';
import type { RJSFSchema, UiSchema } from '@rjsf/utils';
import type { Json } from '../../shared/json.ts';
import { CheckboxWidget } from './checkbox-widget.tsx';
import validator from './validator.ts';

const Form = withTheme<unknown>({ ...Theme, widgets: { ...Theme.widgets, CheckboxWidget } });

const LOOK: UiSchema<unknown> = { 'ui:submitButtonOptions': { norender: true } };

export interface SchemaFormProps {
  schema: RJSFSchema;
  value: Json;
  onChange: (value: Json) => void;
  /** How single fields look, where not as their schema says. */
  look?: UiSchema<unknown>;
}

/** A form made of a JSON Schema. What does not fit is said at its field; the service has the last word. */
export function SchemaForm({ schema, value, onChange, look }: SchemaFormProps) {
  return (
    <Form
      className="schema-form"
      // `root` is the page's own.
      idPrefix="field"
      schema={withoutTitle(schema)}
      uiSchema={{ ...described(schema), ...look, ...LOOK }}
      formData={value}
      validator={validator}
      liveValidate
      showErrorList={false}
      noHtml5Validate
      // What nobody wrote is not sent.
      experimental_defaultFormStateBehavior={{
        emptyObjectFields: 'skipDefaults',
        arrayMinItems: { populate: 'never' },
      }}
      tagName="div"
      onChange={({ formData }) => onChange((formData ?? (schema.type === 'object' ? {} : null)) as Json)}
    />
  );
}

/** Fields that are chosen, not written, show their descriptions only where the look has them. */
function described({ properties = {} }: RJSFSchema): UiSchema<unknown> {
  const fields = Object.entries(properties).flatMap(([name, field]) =>
    typeof field === 'object' && typeof field.description === 'string' && (field.enum ?? field.format) !== undefined
      ? [[name, { 'ui:description': field.description }] as const]
      : [],
  );
  return Object.fromEntries(fields);
}

/** The page says already what the whole is. */
function withoutTitle(schema: RJSFSchema): RJSFSchema {
  const { title: _title, description: _description, $schema: _dialect, ...rest } = schema;
  return rest;
}
