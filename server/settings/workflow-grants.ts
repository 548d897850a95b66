// What the configuration file gives to workflows: hosts that they may call, and variables that they see as `$secrets`.
import type { Place } from '../kernel/log/index.ts';
import { entriesOf, type Entry, textOf, type WrittenConfig } from './entries.ts';
import { misfit, quoted, SettingsError } from './settings-error.ts';
import { GIVEN_TO_FIELDS, givenTo, type GivenTo, type Mode, serves } from './playbook-filter.ts';
import { type Environment, given, VARIABLE_NAME, WHERE_TO_SET } from './environment.ts';
import { HOST_FORM, type HostEntry, isHostMeant, readHostEntry } from './host-entry.ts';

export interface WorkflowGrants {
  hosts: readonly (GivenTo & { host: HostEntry })[];
  secrets: readonly (GivenTo & { variable: string; value: string })[];
}

/** @throws SettingsError */
export function readWorkflowGrants(file: WrittenConfig, environment: Environment): WorkflowGrants {
  return {
    hosts: entriesOf(file, 'workflow_http', ['host', ...GIVEN_TO_FIELDS]).map((entry) => ({
      ...givenTo(entry),
      host: readHost(entry),
    })),
    secrets: entriesOf(file, 'workflow_secrets', ['variable', ...GIVEN_TO_FIELDS]).map((entry) => ({
      ...givenTo(entry),
      ...readVariable(entry, environment),
    })),
  };
}

/** Says which hosts, `name` or `name:port`, the workflows of a playbook may call. */
export function allowedHosts({ hosts }: WorkflowGrants, place: Place, mode: Mode): (host: string) => boolean {
  const own = hosts.filter((entry) => serves(entry, place, mode));
  return (asked) => own.some(({ host }) => isHostMeant(host, asked));
}

/** Says which hosts an entry names itself, other than as one of those below another. */
export function namedHosts({ hosts, secrets }: WorkflowGrants, place: Place, mode: Mode): (host: string) => boolean {
  return allowedHosts({ hosts: hosts.filter(({ host }) => !host.isBelow), secrets }, place, mode);
}

/** The variables, by name, that the workflows of a playbook see. */
export function secretsOf({ secrets }: WorkflowGrants, place: Place, mode: Mode): Readonly<Record<string, string>> {
  const own = secrets.filter((entry) => serves(entry, place, mode));
  return Object.fromEntries(own.map(({ variable, value }) => [variable, value]));
}

function readHost(entry: Entry): HostEntry {
  const { written, text } = textOf(entry, 'host', HOST_FORM);
  const host = readHostEntry(text);
  if (host !== undefined) return host;
  throw misfit(`${entry.path}.host`, entry.file, quoted(written), HOST_FORM);
}

function readVariable(entry: Entry, environment: Environment): { variable: string; value: string } {
  const setting = `${entry.path}.variable in ${entry.file.name}`;
  const { written, text: variable } = textOf(entry, 'variable', 'the name of a variable');
  const value = given(environment, variable);
  if (VARIABLE_NAME.test(variable) && value !== undefined) return { variable, value };
  // Somebody may have written the secret itself where its name belongs: only what is plainly a name is shown.
  const held = /^[A-Z_][A-Z0-9_]{0,63}$/.test(written)
    ? `names the variable ${written}, which is not set`
    : 'holds no name of a variable that is set';
  throw new SettingsError(`${setting} ${held}; ${WHERE_TO_SET}.`);
}
