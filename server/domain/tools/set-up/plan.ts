// Turns pasted servers into entries of the configuration file. What is a secret becomes a variable, and the entry refers
// to it: no entry, note or issue contains a secret.
import type { Issue } from '../../../../shared/issues.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../shared/json.ts';
import { SERVER_NAME } from '../../../settings/index.ts';
import type { PastedServer } from './read-paste.ts';
import { isMarked, isPlaceholder, isSecretName, isSecretValue } from './secret-values.ts';
import { secretsIn, type TextContext } from './secrets-in-text.ts';

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

/** What other clients replace by a path that only they know. */
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
  const plan: SetUpPlan = { servers: [], variables: [], issues: [] };
  const freeServer = createFreeNames((name) => taken.includes(name), '-');
  const freeVariable = createFreeNames(isSet, '_');
  const own = new Set<string>();
  for (const one of pasted) {
    const wanted = serverName(one.name);
    const name = freeServer(wanted);
    const notes = [...one.notes];
    if (own.has(wanted)) notes.push(`The text has several servers named ${wanted}.`);
    else if (name !== wanted) notes.push(`A server ${wanted} is configured already.`);
    own.add(name);
    const texts = createTexts({ name, notes, plan, isSet, freeVariable });
    plan.servers.push({ name, entry: plannedEntry(one.entry, texts), notes });
  }
  return plan;
}

function plannedEntry(entry: JsonObject, { text, refer }: Texts): JsonObject {
  const env = isJsonObject(entry['env']) ? entry['env'] : {};
  const planned = new Map<string, string>();
  // Programs such as `mcp-remote` replace `${NAME}` in their arguments by a variable of the same entry.
  const own = (name: string): string | undefined => {
    const written = Object.hasOwn(env, name) ? env[name] : undefined;
    if (typeof written !== 'string') return undefined;
    const value = planned.get(name) ?? text(written, `env.${name}`, { name });
    planned.set(name, value);
    return value;
  };
  const argument = (written: string, index: number, all: readonly Json[]): string => {
    const field = `args[${index}]`;
    const before = typeof all[index - 1] === 'string' ? String(all[index - 1]) : undefined;
    if (!isMarked(written) || !written.startsWith('<')) return text(written, field, { before }, own);
    return refer(before?.startsWith('-') === true ? before : written, field);
  };
  return Object.fromEntries(
    Object.entries(entry).map(([key, value]): [string, Json] => {
      if (key === 'env') return [key, mapTexts(value, (written, name) => own(name) ?? written)];
      if (['headers', 'query_params'].includes(key)) {
        return [key, mapTexts(value, (written, name) => text(written, `${key}.${name}`, { name }, own))];
      }
      if (key === 'args' && Array.isArray(value)) {
        return [key, value.map((one, index) => (typeof one === 'string' ? argument(one, index, value) : one))];
      }
      return [key, typeof value === 'string' ? text(value, key, {}) : value];
    }),
  );
}

type OwnVariable = (name: string) => string | undefined;

interface Texts {
  /** A text of the entry, with references in place of its secrets; `own` gives the planned variables of the entry. */
  text: (written: string, field: string, context: TextContext, own?: OwnVariable) => string;
  /** A reference to a variable that a person must give. */
  refer: (part: string, field: string) => string;
}

interface TextsOptions {
  /** The server's. */
  name: string;
  notes: string[];
  plan: SetUpPlan;
  isSet: (variable: string) => boolean;
  freeVariable: (name: string) => string;
}

function createTexts({ name, notes, plan, isSet, freeVariable }: TextsOptions): Texts {
  const { variables, issues } = plan;
  const usesOfSet = new Set<string>();

  function refer(part: string, field: string, value = ''): string {
    const variable = freeVariable(variableName(name, part));
    const isGiven = !isPlaceholder(value);
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
  function converted(text: string, field: string, own: OwnVariable): string {
    return text.replaceAll(/\$\{([^{}]*)\}/g, (_found, inner: string) => {
      const [, variable, standard] = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/.exec(inner) ?? [];
      if (variable !== undefined && !OF_CLIENTS.includes(variable)) {
        const ofEntry = own(variable);
        if (ofEntry !== undefined) return ofEntry;
        if (isSet(variable)) {
          const use = `${variable} ${field}`;
          if (!usesOfSet.has(use)) variables.push({ name: variable, server: name, field, state: 'set' });
          usesOfSet.add(use);
          return `\${${variable}}`;
        }
        if (standard !== undefined)
          return isSecretValue(variable, standard) ? refer(variable, field, standard) : standard;
        return refer(variable, field);
      }
      const [, input] = /^input:(.+)$/.exec(inner) ?? [];
      if (input !== undefined) return refer(input, field);
      issues.push({
        pointer: '/text',
        detail: `${name}.${field} refers to \${${inner.slice(0, 40)}}, which only the other client knows; write its value instead.`,
      });
      return '';
    });
  }

  return {
    refer,
    text(given, field, context, own = () => undefined) {
      const written = withReferences(given);
      const label = context.name ?? '';
      const isMissing = isSecretName(label) ? isPlaceholder(written) : written.startsWith('<') && isMarked(written);
      if (context.name !== undefined && isMissing) return refer(label, field);
      const parts: string[] = [];
      let at = 0;
      for (const secret of secretsIn(written, context)) {
        parts.push(converted(written.slice(at, secret.start), field, own));
        parts.push(refer(secret.label, field, written.slice(secret.start, secret.end)));
        at = secret.end;
      }
      return [...parts, converted(written.slice(at), field, own)].join('');
    },
  };
}

/** Clients and shells write references in several ways: `{env:NAME}`, `${{ secrets.NAME }}`, `$NAME`. */
function withReferences(text: string): string {
  return text
    .replaceAll(/\$\{\{\s{0,9}(?:(?:secrets|inputs|env)\.)?([\w.-]+)\s{0,9}\}\}/g, '${input:$1}')
    .replaceAll(/(?<!\$)\{env:([A-Za-z_]\w*)\}/g, '${$1}')
    .replaceAll(/(?<=^|[\s=:"'])\$(?:env:)?([A-Z_][A-Z0-9_]*)(?=$|[\s"'])/g, '${$1}');
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
  const [prefix, written] = [server, part].map((text) =>
    text
      .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
      .replaceAll(/[^A-Za-z0-9]+/g, '_')
      .replaceAll(/^_+|_+$/g, '')
      .toUpperCase(),
  ) as [string, string];
  const own = written === '' ? 'TOKEN' : written;
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
