// Warnings about what a document reaches for: definitions, tools, hosts, MCP servers. All of it can come later.
import { isJsonObject, type Json, type JsonObject } from '../../../../../shared/json.ts';
import { wholeExpression } from '../../../../lib/jq/index.ts';
import { calledDefinition } from '../definition-name.ts';
import type { CallTask, RunTask } from '../dsl.ts';
import type { Findings } from '../../../../lib/yaml/index.ts';
import { code } from '../schema/sentences.ts';
import type { DocumentSurroundings } from '../surroundings.ts';
import type { Walk } from '../walk.ts';
import { policiesOf } from './policies.ts';

const SERVED_MCP_METHODS = ['tools/list', 'tools/call'];

export function checkCalls(walked: Walk, surroundings: DocumentSurroundings, findings: Findings): void {
  for (const { task, pointer } of walked.steps) {
    if ('run' in task) checkRun(task, pointer, surroundings, findings);
    if ('call' in task) checkCall(task, pointer, surroundings, findings);
  }
  for (const { policy, pointer } of policiesOf(walked)) {
    for (const scheme of ['oauth2', 'oidc']) {
      const own = policy[scheme];
      if (isJsonObject(own)) checkHost(own['authority'], `${pointer}/${scheme}/authority`, surroundings, findings);
    }
  }
}

function checkRun(
  { run }: RunTask,
  pointer: string,
  { definitionExists, playbook }: DocumentSurroundings,
  findings: Findings,
): void {
  const { name, namespace, version } = run.workflow;
  const at = `${pointer}/run/workflow`;
  if (definitionExists?.('workflow', name) === false) warnMissing(`${at}/name`, `workflow/${name}`, findings);
  if (namespace !== undefined && playbook !== undefined && namespace !== playbook) {
    findings.warn(
      `${at}/namespace`,
      `The workflow is looked for in this playbook, ${code(playbook)}, whatever \`namespace\` says; leave it out.`,
    );
  }
  if (version !== undefined && version !== 'latest') {
    findings.warn(`${at}/version`, 'What runs is the latest version, whatever `version` says; leave it out.');
  }
}

function checkCall(task: CallTask, pointer: string, surroundings: DocumentSurroundings, findings: Findings): void {
  const given = isJsonObject(task.with) ? task.with : {};
  const at = `${pointer}/with`;
  switch (task.call) {
    case 'http':
      return checkEndpoint(given['endpoint'], `${at}/endpoint`, surroundings, findings);
    case 'openapi': {
      const { document } = given;
      if (isJsonObject(document))
        checkEndpoint(document['endpoint'], `${at}/document/endpoint`, surroundings, findings);
      return;
    }
    case 'tool':
      return checkTool(given['tool'], `${at}/tool`, surroundings, findings);
    case 'mcp':
      return checkMcp(given, at, surroundings, findings);
    default: {
      const called = calledDefinition(task.call);
      if (called === undefined) return;
      if (surroundings.definitionExists?.(called.type, called.name) === false)
        warnMissing(`${pointer}/call`, task.call, findings);
    }
  }
}

function warnMissing(pointer: string, reference: string, findings: Findings): void {
  findings.warn(pointer, `The playbook has no active ${code(reference)}; save it before this workflow runs.`);
}

function checkTool(
  tool: Json | undefined,
  pointer: string,
  { toolDoubt }: DocumentSurroundings,
  findings: Findings,
): void {
  if (typeof tool !== 'string' || wholeExpression(tool) !== undefined) return;
  if (!/^[^/\s]+\/\S+$/.test(tool)) {
    return findings.refuse(pointer, `${code(tool)} is no tool; write the server and its tool as SERVER/TOOL.`);
  }
  const doubt = toolDoubt?.(tool);
  if (doubt === undefined) return;
  const detail = `The playbook may not use the tool ${code(tool)} now; the operator or a connection can offer it.`;
  findings.warn(pointer, `${detail} ${doubt}`);
}

function checkEndpoint(
  endpoint: Json | undefined,
  pointer: string,
  surroundings: DocumentSurroundings,
  findings: Findings,
): void {
  if (isJsonObject(endpoint)) checkHost(endpoint['uri'], `${pointer}/uri`, surroundings, findings);
  else checkHost(endpoint, pointer, surroundings, findings);
}

/** A host that an expression or a template gives is not known before the run. */
function checkHost(
  uri: Json | undefined,
  pointer: string,
  { hostAllowed }: DocumentSurroundings,
  findings: Findings,
): void {
  if (typeof uri !== 'string' || wholeExpression(uri) !== undefined) return;
  const match = /^(https?):\/\/(?:[^/?#]*@)?([^/?#]+)/i.exec(uri);
  if (match === null) {
    findings.warn(
      pointer,
      `${code(uri)} names no host, and a workflow has no address of its own; write https://HOST/PATH.`,
    );
    return;
  }
  const [, scheme = '', host = ''] = match;
  if (host.includes('{')) return;
  const name = hostOf(`${scheme}://${host}`);
  if (name === undefined) findings.warn(pointer, `${code(host)} is no host name; write https://HOST/PATH.`);
  else if (hostAllowed?.(name) === false) {
    findings.warn(
      pointer,
      `Workflows may not call the host ${code(name)} now; the operator can add it to \`workflow_http\`.`,
    );
  }
}

function hostOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).host : undefined;
}

function checkMcp(
  given: JsonObject,
  pointer: string,
  { mcpServerExists }: DocumentSurroundings,
  findings: Findings,
): void {
  const { method, transport } = given;
  if (typeof method === 'string' && !SERVED_MCP_METHODS.includes(method)) {
    const detail = `${code(method)} is not served and raises an error \`configuration\`; tool servers serve \`tools/list\` and \`tools/call\`.`;
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
