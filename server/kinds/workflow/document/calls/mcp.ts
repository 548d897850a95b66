import { isJsonObject, type JsonObject } from '../../../../../shared/json.ts';
import type { Duration } from '../../../../lib/duration.ts';
import { wholeExpression } from '../../../../lib/jq/index.ts';
import type { Findings } from '../../../../lib/yaml/index.ts';
import {
  listOf,
  mapOf,
  object,
  oneOfTexts,
  refused,
  refusedBeside,
  type Schema,
  text,
  textOrObject,
} from '../schema/build.ts';
import { code } from '../schema/sentences.ts';
import { DURATION, OPEN_OBJECT } from '../schema/values.ts';
import type { DocumentContext } from '../check-context.ts';
import { shown } from '../words.ts';
import { ENDPOINT, endpointPolicies } from './endpoint.ts';
import type { CallForm } from './form.ts';

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
    { isOpen: true, message: TRANSPORT_SAYS },
  ),
  if: { required: ['http'] },
  then: { properties: refusedBeside('http', ['stdio'], 'a server is reached in one way') },
  else: { if: { required: ['stdio'] }, else: refused(TRANSPORT_SAYS) },
};

const TRANSPORTS = { http: ['endpoint', 'headers'], stdio: ['command', 'arguments', 'environment'] };

const METHODS = [
  'tools/list',
  'tools/call',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/read',
  'resources/templates/list',
];
const SERVED_METHODS = ['tools/list', 'tools/call'];

const MEMBERS: Readonly<Record<string, Schema>> = {
  protocolVersion: text(),
  method: oneOfTexts(METHODS),
  parameters: textOrObject({ text: text(), object: OPEN_OBJECT }, 'must be an object, or an expression in ${ }'),
  timeout: DURATION,
  transport: TRANSPORT,
  client: object({ name: text(), version: text() }, { isOpen: true, required: ['name', 'version'] }),
};

export const MCP: CallForm = {
  with: object(MEMBERS, {
    isOpen: true,
    required: ['method', 'transport'],
    message: 'must be { method, parameters, transport }',
  }),
  words: ({ method }) => `calls ${shown(method)} on an MCP server`,
  checkReach,
  durations: ({ timeout }, at) =>
    timeout === undefined ? [] : [{ duration: timeout as Duration, pointer: `${at}/timeout` }],
  openMembers: (given, at) => [
    { value: given, known: Object.keys(MEMBERS), pointer: at },
    { value: given['client'], known: ['name', 'version'], pointer: `${at}/client` },
    { value: given['transport'], known: ['http', 'stdio', 'options'], pointer: `${at}/transport` },
    ...Object.entries(TRANSPORTS).map(([kind, known]) => ({
      value: isJsonObject(given['transport']) ? given['transport'][kind] : undefined,
      known,
      pointer: `${at}/transport/${kind}`,
    })),
  ],
  policies({ transport }, at) {
    const http = isJsonObject(transport) ? transport['http'] : undefined;
    return isJsonObject(http) ? endpointPolicies(http['endpoint'], `${at}/transport/http/endpoint`) : [];
  },
  secretHolders({ transport }, at) {
    const { http, stdio } = isJsonObject(transport) ? transport : {};
    return [
      ...(isJsonObject(http) ? [{ values: http['headers'], pointer: `${at}/transport/http/headers` }] : []),
      ...(isJsonObject(stdio) ? [{ values: stdio['environment'], pointer: `${at}/transport/stdio/environment` }] : []),
    ];
  },
};

function checkReach(
  { method, transport }: JsonObject,
  pointer: string,
  { mcpServerExists }: DocumentContext,
  findings: Findings,
): void {
  if (typeof method === 'string' && !SERVED_METHODS.includes(method)) {
    const detail = `${code(method)} is not supported and raises a \`configuration\` error; use \`tools/list\` or \`tools/call\`.`;
    findings.warn(`${pointer}/method`, detail);
  }
  if (!isJsonObject(transport) || mcpServerExists === undefined) return;
  const { http, stdio } = transport;
  const endpoint = isJsonObject(http) ? http['endpoint'] : undefined;
  const address = isJsonObject(endpoint) ? endpoint['uri'] : endpoint;
  const command = isJsonObject(stdio) ? stdio['command'] : undefined;
  const [kind, target] = address === undefined ? (['stdio', command] as const) : (['http', address] as const);
  if (typeof target !== 'string' || wholeExpression(target) !== undefined) return;
  const programArguments =
    isJsonObject(stdio) && Array.isArray(stdio['arguments']) ? stdio['arguments'].map(String) : [];
  if (mcpServerExists(kind === 'http' ? { address: target } : { command: target, arguments: programArguments })) return;
  const detail = `No tool server has the ${kind === 'http' ? 'address' : 'command'} ${code(target)}; the operator or a connection can add one.`;
  findings.warn(`${pointer}/transport/${kind}`, detail, 'key');
}
