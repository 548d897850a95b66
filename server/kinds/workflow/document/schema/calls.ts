// What `call` takes: by the name of what is called, what may stand in `with`.
import { DEFINITION_TYPES } from '../../../../../shared/definition-types.ts';
import { AUTHENTICATION_OR_NAME } from './authentication.ts';
import {
  listOf,
  mapOf,
  object,
  oneOfTexts,
  refused,
  refusedBeside,
  type Schema,
  text,
  textLike,
  textOrObject,
} from './build.ts';
import { ANYTHING, BOOLEAN, DURATION, EXPRESSION, OPEN_OBJECT, URI_OR_EXPRESSION } from './values.ts';

const ENDPOINT_SAYS = 'must be a URI, { uri, authentication } or an expression in ${ }';

const ENDPOINT = textOrObject(
  {
    text: textLike('uri-or-expression', ENDPOINT_SAYS),
    object: object({ uri: URI_OR_EXPRESSION, authentication: AUTHENTICATION_OR_NAME }, { required: ['uri'] }),
  },
  ENDPOINT_SAYS,
);

const RESOURCE = object(
  { name: text(), endpoint: ENDPOINT },
  { required: ['endpoint'], says: 'must be { endpoint: URI }' },
);

const SCALAR: Schema = {
  type: ['string', 'number', 'boolean', 'null'],
  says: 'must be a text, a number, true or false',
};

function scalarsOrExpression(says: string): Schema {
  return textOrObject({ text: { ...EXPRESSION, says }, object: { additionalProperties: SCALAR } }, says);
}

const RESPONSE = {
  output: oneOfTexts(['raw', 'content', 'response']),
  redirect: BOOLEAN,
};

const HTTP = object(
  {
    method: text('must be a method such as get'),
    endpoint: ENDPOINT,
    headers: scalarsOrExpression('must be an object of headers, or an expression in ${ }'),
    body: ANYTHING,
    query: scalarsOrExpression('must be an object of query parameters, or an expression in ${ }'),
    ...RESPONSE,
  },
  { required: ['method', 'endpoint'], says: 'must be { method, endpoint }' },
);

const OPENAPI = object(
  {
    document: RESOURCE,
    operationId: text('must be the `operationId` of the operation, as the document has it'),
    parameters: OPEN_OBJECT,
    authentication: AUTHENTICATION_OR_NAME,
    ...RESPONSE,
  },
  { required: ['document', 'operationId'], says: 'must be { document, operationId, parameters }' },
);

const TEXTS = mapOf(text(), 'must be an object of texts');

const TRANSPORT_SAYS = 'must be { http: { endpoint } } or { stdio: { command } }';

const TRANSPORT: Schema = {
  ...object(
    {
      http: object({ endpoint: ENDPOINT, headers: TEXTS }, { isOpen: true, required: ['endpoint'] }),
      stdio: object(
        { command: text(), arguments: listOf(text()), environment: TEXTS },
        { isOpen: true, required: ['command'] },
      ),
      options: TEXTS,
    },
    { isOpen: true, says: TRANSPORT_SAYS },
  ),
  if: { required: ['http'] },
  then: { properties: refusedBeside('http', ['stdio'], 'a server is reached in one way') },
  else: { if: { required: ['stdio'] }, else: refused(TRANSPORT_SAYS) },
};

const MCP_METHODS = [
  'tools/list',
  'tools/call',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/read',
  'resources/templates/list',
];

const MCP = object(
  {
    protocolVersion: text(),
    method: oneOfTexts(MCP_METHODS),
    parameters: textOrObject({ text: text(), object: OPEN_OBJECT }, 'must be an object, or an expression in ${ }'),
    timeout: DURATION,
    transport: TRANSPORT,
    client: object({ name: text(), version: text() }, { isOpen: true, required: ['name', 'version'] }),
  },
  { isOpen: true, required: ['method', 'transport'], says: 'must be { method, parameters, transport }' },
);

const TOOL = object(
  {
    tool: text('must be a tool, written SERVER/TOOL'),
    arguments: textOrObject({ text: EXPRESSION, object: OPEN_OBJECT }, 'must be an object, or an expression in ${ }'),
  },
  { required: ['tool'], says: 'must be { tool: SERVER/TOOL, arguments }' },
);

export interface CallForm {
  with: Schema;
  isWithRequired: boolean;
}

export const CALLS: Readonly<Record<string, CallForm>> = {
  http: { with: HTTP, isWithRequired: true },
  openapi: { with: OPENAPI, isWithRequired: true },
  mcp: { with: MCP, isWithRequired: true },
  tool: { with: TOOL, isWithRequired: true },
};

/** A definition of the playbook takes any input. */
export const DEFINITION_CALL = {
  pattern: `^(?:${DEFINITION_TYPES.join('|')})/`,
  with: { says: 'must be the input of what is called' },
};

/** A function of the document takes named values. */
export const FUNCTION_WITH: Schema = { ...OPEN_OBJECT, says: 'must be an object of named values' };

const BY_TOOL = 'connect a tool server for it and write `call: tool`';

/** Calls that the standard has and we have not. */
export const REFUSED_CALLS: Readonly<Record<string, string>> = {
  grpc: `is not served: gRPC needs generated code; ${BY_TOOL}, or use \`call: http\` where the service offers it`,
  asyncapi: `is not served; to take messages, \`listen\` to events of the playbook, to send them \`emit\`, or ${BY_TOOL}`,
  a2a: `is not served; ${BY_TOOL}, or use \`call: http\` where the agent offers it`,
};
