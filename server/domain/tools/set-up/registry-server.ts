// A server as the MCP registry describes it (`server.json`): packages that are installed, and addresses.
import { isJsonObject, type Json, type JsonObject } from '../../../../shared/json.ts';
import type { Reading } from './client-command.ts';
import { startableProgram } from './startable-program.ts';

const NOTHING_USABLE =
  'The `server.json` names no package of npm, PyPI, NuGet or a container registry that speaks over stdio, and no remote address.';

/** Undefined for an object that is no such description. */
export function readRegistryServer(document: JsonObject): Reading | undefined {
  const value = isJsonObject(document['server']) ? document['server'] : document;
  const packages = objectsIn(value, 'packages');
  const remotes = objectsIn(value, 'remotes');
  if (typeof value['name'] !== 'string' || (packages.length === 0 && remotes.length === 0)) return undefined;
  const name = value['name'].split('/').at(-1) ?? '';
  const notes: string[] = [];
  const entries = [...packages.map((one) => packageEntry(one, notes)), ...remotes.map(remoteEntry)].filter(
    (entry) => entry !== undefined,
  );
  const [entry] = entries;
  if (entry === undefined) return { ok: false, detail: NOTHING_USABLE };
  if (entries.length > 1) notes.push('It can be reached in several ways; the first of them is used.');
  return { ok: true, servers: [{ name, entry, notes: [...new Set(notes)] }] };
}

function packageEntry(described: JsonObject, notes: string[]): JsonObject | undefined {
  const transport = described['transport'];
  const kind = isJsonObject(transport) ? textIn(transport, 'type') : 'stdio';
  const starting = startingOf(described);
  if (starting === undefined || kind !== 'stdio') return undefined;
  const variables = objectsIn(described, 'environmentVariables', 'environment_variables');
  const given = variables.flatMap((variable): [string, string][] => {
    const value = inputValue(variable, textIn(variable, 'name'));
    return value === undefined ? [] : [[textIn(variable, 'name'), value]];
  });
  const optional = variables.length - given.length;
  if (optional > 0) notes.push(`Optional variables are left out: ${optional}.`);
  const isContainer = starting.command === 'docker';
  const { entry, notes: changes } = startableProgram({
    command: textIn(described, 'runtimeHint', 'runtime_hint') || starting.command,
    args: [
      ...starting.before,
      ...argumentsIn(described, 'runtimeArguments', 'runtime_arguments').filter(
        (word) => !starting.before.includes(word),
      ),
      ...(isContainer ? given.flatMap(([variable]) => ['-e', variable]) : []),
      starting.identifier,
      ...argumentsIn(described, 'packageArguments', 'package_arguments'),
    ],
    env: Object.fromEntries(given),
  });
  notes.push(...changes);
  return { type: 'stdio', ...entry };
}

function startingOf(described: JsonObject): { command: string; before: string[]; identifier: string } | undefined {
  const name = textIn(described, 'identifier', 'name');
  const version = textIn(described, 'version');
  const at = (mark: string): string => (version === '' || version === 'latest' ? name : `${name}${mark}${version}`);
  if (name === '') return undefined;
  switch (textIn(described, 'registryType', 'registry_type', 'registry_name')) {
    case 'npm':
      return { command: 'npx', before: ['-y'], identifier: at('@') };
    case 'pypi':
      return { command: 'uvx', before: [], identifier: at('@') };
    case 'nuget':
      return { command: 'dnx', before: ['--yes'], identifier: at('@') };
    case 'oci':
    case 'docker':
      return {
        command: 'docker',
        before: ['run', '-i', '--rm'],
        identifier: /:./.test(name.slice(name.lastIndexOf('/') + 1)) ? name : at(':'),
      };
    default:
      return undefined;
  }
}

function remoteEntry(described: JsonObject): JsonObject | undefined {
  const kind = textIn(described, 'type', 'transport_type');
  const url = textIn(described, 'url');
  if (url === '' || kind === 'sse') return undefined;
  const headers = objectsIn(described, 'headers').flatMap((header): [string, string][] => {
    const value = inputValue(header, textIn(header, 'name'));
    return value === undefined ? [] : [[textIn(header, 'name'), value]];
  });
  const ready = withVariables(url, described);
  return { type: 'mcp', url: ready, ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }) };
}

function argumentsIn(described: JsonObject, ...keys: string[]): string[] {
  return objectsIn(described, ...keys).flatMap((argument) => {
    const name = textIn(argument, 'name');
    const value = inputValue(argument, textIn(argument, 'valueHint', 'value_hint') || name);
    if (textIn(argument, 'type') !== 'named') return value === undefined ? [] : [value];
    if (value !== undefined) return [name, value];
    return argument['isRequired'] === true || argument['value'] === '' ? [name] : [];
  });
}

/** What is given, what stands for what a person gives, or undefined for what may be left out. */
function inputValue(input: JsonObject, label: string): string | undefined {
  const value = textIn(input, 'value', 'default');
  if (value !== '') return withVariables(value, input);
  const isDemanded = ['isRequired', 'is_required'].some((key) => input[key] === true);
  return isDemanded ? `\${input:${label}}` : undefined;
}

/** `Bearer {token}`, where `token` is described beside it. */
function withVariables(text: string, { variables }: JsonObject): string {
  if (!isJsonObject(variables)) return text;
  return text.replaceAll(/\{([\w.-]+)\}/g, (found, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (!isJsonObject(variable)) return found;
    return textIn(variable, 'value', 'default') || `\${input:${name}}`;
  });
}

function objectsIn(value: JsonObject, ...keys: string[]): JsonObject[] {
  const list: Json | undefined = keys.map((key) => value[key]).find((one) => Array.isArray(one));
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

function textIn(value: JsonObject, ...keys: string[]): string {
  const text = keys.map((key) => value[key]).find((one) => typeof one === 'string');
  return typeof text === 'string' ? text : '';
}
