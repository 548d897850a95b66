import { isJsonObject } from '../../../../../shared/json.ts';
import { placedPolicies } from '../placed.ts';
import { AUTHENTICATION_OR_NAME } from '../schema/authentication.ts';
import { object, text } from '../schema/build.ts';
import { OPEN_OBJECT } from '../schema/values.ts';
import { shown } from '../words.ts';
import { checkEndpoint, ENDPOINT, endpointPolicies, RESPONSE } from './endpoint.ts';
import type { CallForm } from './form.ts';

const RESOURCE = object(
  { name: text(), endpoint: ENDPOINT },
  { required: ['endpoint'], message: 'must be { endpoint: URI }' },
);

export const OPENAPI: CallForm = {
  with: object(
    {
      document: RESOURCE,
      operationId: text('must be the `operationId` of the operation, as the document has it'),
      parameters: OPEN_OBJECT,
      authentication: AUTHENTICATION_OR_NAME,
      ...RESPONSE,
    },
    { required: ['document', 'operationId'], message: 'must be { document, operationId, parameters }' },
  ),
  words: ({ operationId }) => `calls the operation ${shown(operationId)}`,
  checkReach({ document }, at, context, findings) {
    if (isJsonObject(document)) checkEndpoint(document['endpoint'], `${at}/document/endpoint`, context, findings);
  },
  policies: ({ authentication, document }, at) => [
    ...placedPolicies(authentication, `${at}/authentication`),
    ...(isJsonObject(document) ? endpointPolicies(document['endpoint'], `${at}/document/endpoint`) : []),
  ],
};
