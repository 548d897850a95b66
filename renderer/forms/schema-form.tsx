import '@mantine/dates/styles.layer.css';
import './schema-form.css';
import { withTheme } from '@rjsf/core';
import { Theme } from '@rjsf/mantine';
import type { RJSFSchema, UiSchema } from '@rjsf/utils';
import type { Json } from '../../shared/json.ts';
import { CheckboxWidget } from './checkbox-widget.tsx';
import { ListTitle, ObjectTitle } from './titles.tsx';
import validator from './validator.ts';

const Form = withTheme<unknown>({
  ...Theme,
  widgets: { ...Theme.widgets, CheckboxWidget },
  templates: { ...Theme.templates, ArrayFieldTitleTemplate: ListTitle, TitleFieldTemplate: ObjectTitle },
});

const LOOK: UiSchema<unknown> = { 'ui:submitButtonOptions': { norender: true } };

export interface SchemaFormProps {
  schema: RJSFSchema;
  value: Json;
  onChange: (value: Json) => void;
  /** The UI schema of fields that should not look as their schema determines. */
  look?: UiSchema<unknown>;
}

/** A form generated from a JSON Schema. Errors are shown at their fields; the service makes the final check. */
export function SchemaForm({ schema, value, onChange, look }: SchemaFormProps) {
  return (
    <Form
      className="schema-form"
      // The default, `root`, is the id of the page's root element.
      idPrefix="field"
      schema={withoutTitle(schema)}
      uiSchema={{ ...described(schema), ...look, ...LOOK }}
      formData={value}
      validator={validator}
      liveValidate
      showErrorList={false}
      noHtml5Validate
      // Empty fields are not sent.
      experimental_defaultFormStateBehavior={{
        emptyObjectFields: 'skipDefaults',
        arrayMinItems: { populate: 'never' },
      }}
      tagName="div"
      onChange={({ formData }) => onChange((formData ?? (schema.type === 'object' ? {} : null)) as Json)}
    />
  );
}

/** Selects and pickers show a description only if it is in the UI schema. */
function described({ properties = {} }: RJSFSchema): UiSchema<unknown> {
  const fields = Object.entries(properties).flatMap(([name, field]) =>
    typeof field === 'object' && typeof field.description === 'string' && (field.enum ?? field.format) !== undefined
      ? [[name, { 'ui:description': field.description }] as const]
      : [],
  );
  return Object.fromEntries(fields);
}

/** The page already shows the title and description of the whole. */
function withoutTitle(schema: RJSFSchema): RJSFSchema {
  const { title: _title, description: _description, $schema: _dialect, ...rest } = schema;
  return rest;
}
