import type { RJSFSchema, UiSchema } from '@rjsf/utils';
import { OptionsWidget } from './options-widget.tsx';

/** Options that stand side by side; more are chosen from a list. */
const MOST = 6;

/** The look of a form whose fields of few options are buttons. */
export function optionsLook({ type, enum: values, properties = {} }: RJSFSchema): UiSchema<unknown> {
  if (type === 'boolean' || (values !== undefined && values.length <= MOST && values.every(isScalar))) {
    return { 'ui:widget': OptionsWidget };
  }
  const fields = Object.entries(properties).filter(([, field]) => typeof field === 'object');
  return Object.fromEntries(fields.map(([name, field]) => [name, optionsLook(field as RJSFSchema)]));
}

const isScalar = (value: unknown): boolean => value !== null && typeof value !== 'object';
