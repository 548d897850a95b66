// What the configuration file gives to workflows: hosts that they may call, and variables that they see as `$secrets`.
import type { PlaybookKey } from '../kernel/log/index.ts';
import { unavailable } from '../lib/rejection.ts';
import { type ConfigPart, listOfObjects, PLAYBOOK_FILTER_SCHEMA, STRING } from './config-part.ts';
import { entriesOf, type ConfigEntry, textOf, type WrittenConfig } from './entries.ts';
import { invalidSetting, quoted, SettingsError } from './settings-error.ts';
import {
  PLAYBOOK_FILTER_FIELDS,
  playbookFilterOf,
  type PlaybookFilter,
  type Mode,
  servesPlaybook,
} from './playbook-filter.ts';
import { type Environment, environmentVariable, VARIABLE_NAME, WHERE_TO_SET } from './environment.ts';
import { HOST_FORM, type HostEntry, isHostMeant, readHostEntry } from './host-entry.ts';

export interface WorkflowGrants {
  hosts: readonly (PlaybookFilter & { host: HostEntry })[];
  secrets: readonly (PlaybookFilter & SecretVariable)[];
}

/** `fault` says why a variable cannot be used. */
type SecretVariable = { variable: string; value: string } | { variable: string; fault: string };

export const WORKFLOW_GRANTS: ConfigPart<WorkflowGrants> = {
  keys: {
    workflow_http: {
      meaning: 'Hosts that `call: http` and `call: openapi` of workflows may reach.',
      default: 'none',
      example:
        'workflow_http:\n  - { host: api.example.com, playbooks: [wildlife-strikes] }\n  - { host: "*.example.org:8443" }\n',
      schema: listOfObjects({ host: STRING, ...PLAYBOOK_FILTER_SCHEMA }, ['host']),
    },
    workflow_secrets: {
      meaning: 'Variables that workflows see as `$secrets`; each must be set.',
      default: 'none',
      example: 'workflow_secrets:\n  - { variable: DESK_TOKEN, playbooks: [wildlife-strikes] }\n',
      schema: listOfObjects({ variable: STRING, ...PLAYBOOK_FILTER_SCHEMA }, ['variable']),
    },
  },
  read: ({ file, environment }, leavesOut) => readWorkflowGrants(file, environment, leavesOut),
};

/** @param leavesOut whether an entry that does not fit gives nothing, or a secret that is refused when it is used */
function readWorkflowGrants(file: WrittenConfig, environment: Environment, leavesOut: boolean): WorkflowGrants {
  const each = <T>(key: string, field: string, read: (entry: ConfigEntry) => T): (PlaybookFilter & T)[] =>
    entriesOf(file, key, [field, ...PLAYBOOK_FILTER_FIELDS]).flatMap((entry) => {
      try {
        return [{ ...playbookFilterOf(entry), ...read(entry) }];
      } catch (error) {
        if (leavesOut && error instanceof SettingsError) return [];
        throw error;
      }
    });
  return {
    hosts: each('workflow_http', 'host', (entry) => ({ host: readHost(entry) })),
    secrets: each('workflow_secrets', 'variable', (entry) => readVariable(entry, environment, leavesOut)),
  };
}

/** Says which hosts, `name` or `name:port`, the workflows of a playbook may call. */
export function allowedHosts(
  { hosts }: WorkflowGrants,
  playbookKey: PlaybookKey,
  mode: Mode,
): (host: string) => boolean {
  const own = hosts.filter((entry) => servesPlaybook(entry, playbookKey, mode));
  return (asked) => own.some(({ host }) => isHostMeant(host, asked));
}

/** Says which hosts an entry names itself, other than as one of those below another. */
export function namedHosts(
  { hosts, secrets }: WorkflowGrants,
  playbookKey: PlaybookKey,
  mode: Mode,
): (host: string) => boolean {
  return allowedHosts({ hosts: hosts.filter(({ host }) => !host.isBelow), secrets }, playbookKey, mode);
}

/**
 * The variables, by name, that the workflows of a playbook see. One that is not set is not enumerable, and is refused as
 * `unavailable` when it is read.
 */
export function secretsOf(
  { secrets }: WorkflowGrants,
  playbookKey: PlaybookKey,
  mode: Mode,
): Readonly<Record<string, string>> {
  const own = secrets.filter((entry) => servesPlaybook(entry, playbookKey, mode));
  const property = (secret: SecretVariable): PropertyDescriptor =>
    'value' in secret
      ? { value: secret.value, enumerable: true }
      : {
          get() {
            throw unavailable(secret.fault);
          },
        };
  return Object.defineProperties({}, Object.fromEntries(own.map((secret) => [secret.variable, property(secret)])));
}

function readHost(entry: ConfigEntry): HostEntry {
  const { written, text } = textOf(entry, 'host', HOST_FORM);
  const host = readHostEntry(text);
  if (host !== undefined) return host;
  throw invalidSetting(`${entry.path}.host`, entry.file, quoted(written), HOST_FORM);
}

function readVariable(entry: ConfigEntry, environment: Environment, mayLack: boolean): SecretVariable {
  const setting = `${entry.path}.variable in ${entry.file.name}`;
  const { written, text: variable } = textOf(entry, 'variable', 'the name of a variable');
  const value = environmentVariable(environment, variable);
  if (VARIABLE_NAME.test(variable) && value !== undefined) return { variable, value };
  // Shown only if it is clearly a name: it may be the secret itself.
  const isName = /^[A-Z_][A-Z0-9_]{0,63}$/.test(written);
  const fault = isName
    ? `names the variable ${written}, which is not set`
    : 'is not the name of a variable that is set';
  const sentence = `${setting} ${fault}; ${WHERE_TO_SET}.`;
  if (mayLack && isName) return { variable: written, fault: sentence };
  throw new SettingsError(sentence);
}
