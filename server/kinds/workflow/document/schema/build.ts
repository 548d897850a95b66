// Pieces of JSON Schema. Where the standard has a choice (`oneOf`), ours looks at what distinguishes the forms and then
// asks for one of them: so a mistake leads to the errors of the form that was meant, and to no others.
//
// Annotations of our own: `says` is what is said when a value does not fit, as the end of a sentence that begins with
// the value's name; `sentence` is the whole of it; `nearest` lists keys of which one was probably mistyped.

export interface Schema {
  readonly [keyword: string]: unknown;
}

/** Makes the schema of a task from the members of its type; `required` is its keyword where it is left out. */
export type TaskForm = (own: Readonly<Record<string, Schema>>, required?: readonly string[]) => Schema;

export interface ObjectForm {
  required?: readonly string[];
  /** Takes members that it does not name. */
  isOpen?: boolean;
  message?: string;
  minProperties?: number;
}

export function object(properties: Readonly<Record<string, Schema>>, form: ObjectForm = {}): Schema {
  const { required, isOpen = false, message = 'must be an object', minProperties } = form;
  return {
    type: 'object',
    says: message,
    properties,
    ...(required === undefined ? {} : { required }),
    ...(isOpen ? {} : { additionalProperties: false }),
    ...(minProperties === undefined ? {} : { minProperties }),
  };
}

export function mapOf(values: Schema, message: string): Schema {
  return { type: 'object', says: message, additionalProperties: values };
}

export function listOf(items: Schema, message = 'must be a list'): Schema {
  return { type: 'array', says: message, items };
}

export function text(message = 'must be a string'): Schema {
  return { type: 'string', says: message };
}

/** A text that one of our own formats describes. */
export function textLike(format: string, message: string): Schema {
  return { type: 'string', format, says: message };
}

export function oneOfTexts(values: readonly string[]): Schema {
  return { enum: values, says: `must be ${joined(values.map((value) => `\`${value}\``))}` };
}

export function any(message: string): Schema {
  return { says: message };
}

export function refused(message: string): Schema {
  return { not: {}, says: message };
}

export function refusedWholly(sentence: string): Schema {
  return { not: {}, sentence };
}

/** A text or an object, each with rules of its own. */
export function textOrObject(forms: { text: Schema; object: Schema }, message: string): Schema {
  return {
    type: ['string', 'object'],
    says: message,
    if: { type: 'string' },
    // A form's own `type` would only say again what `says` says.
    then: without(forms.text, 'type'),
    else: { if: { type: 'object' }, then: without(forms.object, 'type') },
  };
}

/** The form is recognized by the first of its keys that the object has; with none of them, `otherwise` applies. */
export function byKey(forms: Readonly<Record<string, Schema>>, otherwise: Schema): Schema {
  return Object.entries(forms).reduceRight<Schema>(
    (rest, [key, form]) => ({ if: { type: 'object', required: [key] }, then: form, else: rest }),
    otherwise,
  );
}

/** Keys that cannot be combined with the one that identifies the form. */
export function refusedBeside(key: string, others: readonly string[], why: string): Record<string, Schema> {
  return Object.fromEntries(others.map((other) => [other, refused(`cannot be combined with \`${key}\`: ${why}`)]));
}

function without(schema: Schema, keyword: string): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== keyword));
}

function joined(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
