// Turns pasted servers into entries of the configuration file. What is a secret becomes a variable, and the entry refers
// to it: no entry, note or issue contains a secret.
import type { Issue } from '../../../../shared/issues.ts';
import type { Json, JsonObject } from '../../../../shared/json.ts';
import { SERVER_NAME } from '../../../settings/index.ts';
import type { PastedServer } from './read-paste.ts';
import { isPlaceholder, isSecretName, isSecretValue, secretInArgument } from './secret-values.ts';

export interface PlannedServer {
  name: string;
  entry: JsonObject;
  notes: string[];
}

export interface PlannedVariable {
  name: string;
  server: string;
  /** Where the entry refers to it, for example `env.API_KEY`. */
  field: string;
  /** `set`: the environment has it already. `pasted`: its value was in the paste. `missing`: a person must give it. */
  state: 'set' | 'pasted' | 'missing';
  value?: string;
}

export interface SetUpPlan {
  servers: PlannedServer[];
  variables: PlannedVariable[];
  issues: Issue[];
}

export interface PlanOptions {
  /** The names of the servers that are configured. */
  taken: readonly string[];
  isSet: (variable: string) => boolean;
}

const REFERENCE = /\$\{([^{}]*)\}/g;
/** What other clients replace by a place that only they know. */
const OF_CLIENTS = [
  'workspaceFolder',
  'workspaceFolderBasename',
  'userHome',
  'pathSeparator',
  '__dirname',
  'CLAUDE_PLUGIN_ROOT',
];
/** Redacted from results only from this length. */
const LEAST_REDACTED = 8;

export function planServers(pasted: readonly PastedServer[], { taken, isSet }: PlanOptions): SetUpPlan {
  const variables: PlannedVariable[] = [];
  const issues: Issue[] = [];
  const freeServer = createFreeNames((name) => taken.includes(name), '-');
  const freeVariable = createFreeNames(isSet, '_');

  const servers = pasted.map((one) => {
    const wanted = serverName(one.name);
    const name = freeServer(wanted);
    const notes = [...one.notes];
    if (name !== wanted) notes.push(`A server ${wanted} is configured already.`);

    /** @returns the reference */
    function refer(part: string, field: string, state: PlannedVariable['state'], value?: string): string {
      const variable = freeVariable(variableName(name, part));
      const isGiven = state === 'pasted' && value !== undefined && !isPlaceholder(value);
      variables.push({
        name: variable,
        server: name,
        field,
        state: isGiven ? 'pasted' : 'missing',
        ...(isGiven ? { value } : {}),
      });
      if (isGiven && value.length < LEAST_REDACTED) {
        notes.push(
          `The value of ${variable} has fewer than ${LEAST_REDACTED} characters, so it is not redacted from results.`,
        );
      }
      return `\${${variable}}`;
    }

    /** References in the forms of other clients: `${env:NAME}`, `${input:ID}` and `${NAME:-default}`. */
    function converted(text: string, field: string): string {
      return text.replaceAll(REFERENCE, (_found, inner: string) => {
        const [, variable, standard] = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/.exec(inner) ?? [];
        if (variable !== undefined && !OF_CLIENTS.includes(variable)) {
          if (isSet(variable)) {
            if (!variables.some((other) => other.name === variable && other.field === field && other.server === name))
              variables.push({ name: variable, server: name, field, state: 'set' });
            return `\${${variable}}`;
          }
          if (standard !== undefined)
            return isSecretValue(variable, standard) ? refer(variable, field, 'pasted', standard) : standard;
          return refer(variable, field, 'missing');
        }
        const [, input] = /^input:(.+)$/.exec(inner) ?? [];
        if (input !== undefined) return refer(input, field, 'missing');
        issues.push({
          pointer: '/text',
          detail: `${name}.${field} refers to \${${inner.slice(0, 40)}}, which only the other client knows; write its value instead.`,
        });
        return '';
      });
    }

    const member = (field: string, key: string, text: string): string => {
      const at = `${field}.${key}`;
      if (text.includes('${')) return converted(text, at);
      const isMissing = isSecretName(key) && isPlaceholder(text);
      if (!isMissing && !isSecretValue(key, text)) return text;
      const [, scheme = '', rest = text] = /^((?:bearer|basic|token)\s+)(.*)$/i.exec(text) ?? [];
      return `${scheme}${refer(scheme === '' ? key : 'TOKEN', at, 'pasted', rest)}`;
    };
    const argument = (text: string, place: number, all: readonly string[]): string => {
      const at = `args[${place}]`;
      if (text.includes('${')) return converted(text, at);
      const before = all[place - 1];
      const [kept, secret] = secretInArgument(text, before) ?? [];
      if (kept === undefined || secret === undefined) return text;
      const label = (kept === '' && before?.startsWith('-') === true ? before : kept).replaceAll(/^-+|[=:].*$/g, '');
      return `${kept}${refer(label === '' || label.toLowerCase() === 'authorization' ? 'TOKEN' : label, at, 'pasted', secret)}`;
    };
    const address = (text: string, field: string): string =>
      (text.includes('${') ? converted(text, field) : text)
        .replaceAll(/([?&])([^=?&#]+)=([^&#]*)/g, (found, mark: string, key: string, value: string) =>
          !value.includes('${') && (isSecretName(key) || isSecretValue(key, value))
            ? `${mark}${key}=${refer(key, field, 'pasted', value)}`
            : found,
        )
        .replace(/(?<=[^/:]\/)(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{24,}(?=[/?#]|$)/, (segment) =>
          refer('TOKEN', field, 'pasted', segment),
        );

    const entry = Object.fromEntries(
      Object.entries(one.entry).map(([key, value]): [string, Json] => {
        if (['env', 'headers', 'query_params'].includes(key))
          return [key, mapTexts(value, (text, name) => member(key, String(name), text))];
        if (key === 'args' && Array.isArray(value)) {
          const all = value.map((text) => String(text));
          return [key, value.map((text, place) => (typeof text === 'string' ? argument(text, place, all) : text))];
        }
        if (['url', 'document', 'base_url'].includes(key) && typeof value === 'string')
          return [key, address(value, key)];
        return [key, typeof value === 'string' ? converted(value, key) : value];
      }),
    );
    return { name, entry, notes };
  });
  return { servers, variables, issues };
}

function mapTexts(value: Json, change: (text: string, name: string) => string): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, typeof one === 'string' ? change(one, name) : one]),
  );
}

function serverName(written: string): string {
  const name = written
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .slice(0, 60)
    .replaceAll(/^[-_]+|[-_]+$/g, '');
  return SERVER_NAME.test(name) ? name : 'server';
}

/** All begin with `TOOL_`, so that none is a setting of Cuebook or a key of a provider of models. */
function variableName(server: string, part: string): string {
  const [prefix, own] = [server, part].map((text) =>
    text
      .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
      .replaceAll(/[^A-Za-z0-9]+/g, '_')
      .replaceAll(/^_+|_+$/g, '')
      .toUpperCase(),
  ) as [string, string];
  return `TOOL_${own.startsWith(`${prefix}_`) ? own : `${prefix}_${own}`}`.slice(0, 90);
}

/** The function that returns a name, or with a number after it if it is taken; each is returned once. */
function createFreeNames(isTaken: (name: string) => boolean, mark: '-' | '_'): (name: string) => string {
  const given = new Set<string>();
  /** By name; a paste may have thousands of servers or secrets of one name. */
  const nextNumbers = new Map<string, number>();
  return (name) => {
    for (let number = nextNumbers.get(name) ?? 1; ; number += 1) {
      const free = number === 1 ? name : `${name}${mark}${number}`;
      if (given.has(free) || isTaken(free)) continue;
      given.add(free);
      nextNumbers.set(name, number + 1);
      return free;
    }
  };
}
