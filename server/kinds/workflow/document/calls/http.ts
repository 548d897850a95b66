import { isJsonObject } from '../../../../../shared/json.ts';
import { object, type Schema, text, textOrObject } from '../schema/build.ts';
import { ANYTHING, EXPRESSION } from '../schema/values.ts';
import { shown } from '../words.ts';
import { checkEndpoint, ENDPOINT, endpointPolicies, RESPONSE } from './endpoint.ts';
import type { CallForm } from './form.ts';

const SCALAR: Schema = {
  type: ['string', 'number', 'boolean', 'null'],
  says: 'must be a string, a number, true or false',
};

function scalarsOrExpression(message: string): Schema {
  return textOrObject({ text: { ...EXPRESSION, says: message }, object: { additionalProperties: SCALAR } }, message);
}

export const HTTP: CallForm = {
  with: object(
    {
      method: text('must be a method such as get'),
      endpoint: ENDPOINT,
      headers: scalarsOrExpression('must be an object of headers, or an expression in ${ }'),
      body: ANYTHING,
      query: scalarsOrExpression('must be an object of query parameters, or an expression in ${ }'),
      ...RESPONSE,
    },
    { required: ['method', 'endpoint'], message: 'must be { method, endpoint }' },
  ),
  words: ({ endpoint, method }) =>
    `sends ${shown(String(method).toUpperCase())} to ${shown(isJsonObject(endpoint) ? endpoint['uri'] : endpoint)}`,
  checkReach: ({ endpoint }, at, context, findings) => checkEndpoint(endpoint, `${at}/endpoint`, context, findings),
  policies: ({ endpoint }, at) => endpointPolicies(endpoint, `${at}/endpoint`),
  secretHolders: ({ headers }, at) => [{ values: headers, pointer: `${at}/headers` }],
};
