// What the operator lets people connect: `connections` in the configuration file.
import { isJsonObject } from '../../shared/json.ts';
import { CREDENTIAL_KINDS } from '../../shared/connection-kinds.ts';
import { nearestName } from '../../shared/nearest-name.ts';
import { refuseUnknown } from './refuse-unknown.ts';
import { BOOLEAN, type ConfigPart, objectSchema, STRINGS } from './config-part.ts';
import { booleanOf, listOf, type WrittenConfig, type WrittenText } from './entries.ts';
import { kindOf, invalidSetting, quoted } from './settings-error.ts';
import { type Environment, environmentVariable, VARIABLE_NAME } from './environment.ts';
import type { Mode } from './playbook-filter.ts';
import { HOST_FORM, type HostEntry, readHostEntry } from './host-entry.ts';

type CredentialKind = (typeof CREDENTIAL_KINDS)[number];

export interface ConnectionRules {
  peopleMayAdd: boolean;
  /** Hosts that connections may reach; `*` is every host. */
  hosts: readonly (HostEntry | '*')[];
  kinds: readonly CredentialKind[];
  /** Names of variables that a connection may refer to. */
  variables: readonly string[];
  /** The value of such a variable, where it is set. */
  valueOf: (variable: string) => string | undefined;
}

const TEXTS = { list: 'a list of strings', each: 'a string' };
const FIELDS = ['people_may_add', 'hosts', 'credential_kinds', 'variables'];

export const CONNECTION_RULES: ConfigPart<ConnectionRules> = {
  keys: {
    connections: {
      meaning: 'What people may add as connections.',
      default: 'everything in local mode; otherwise nothing',
      example:
        'connections:\n  people_may_add: true\n  hosts: ["*"]\n  credential_kinds: [none, secret, reference, client_credentials]\n  variables: []\n',
      schema: objectSchema({
        people_may_add: BOOLEAN,
        hosts: STRINGS,
        credential_kinds: { type: 'array', items: { enum: [...CREDENTIAL_KINDS] } },
        variables: STRINGS,
      }),
    },
  },
  read: ({ file, environment, mode }) => readConnectionRules(file, environment, mode()),
};

function readConnectionRules(file: WrittenConfig, environment: Environment, mode: Mode): ConnectionRules {
  const members = Object.hasOwn(file.value, 'connections') ? (file.value['connections'] ?? {}) : {};
  if (!isJsonObject(members)) {
    throw invalidSetting(
      'connections',
      file,
      kindOf(members),
      'an object such as { people_may_add: true, hosts: ["*"] }',
    );
  }
  refuseUnknown(Object.keys(members), FIELDS, `connections in ${file.name}`);
  const entry = { file, path: 'connections', members };
  const variables = listOf(entry, 'variables', TEXTS, readVariable) ?? [];
  return {
    peopleMayAdd: booleanOf(entry, 'people_may_add', mode === 'local'),
    hosts: listOf(entry, 'hosts', TEXTS, readHost) ?? ['*'],
    kinds: listOf(entry, 'credential_kinds', TEXTS, readKind) ?? CREDENTIAL_KINDS,
    variables,
    valueOf: (variable) => (variables.includes(variable) ? environmentVariable(environment, variable) : undefined),
  };
}

function readHost({ file, path, written, text }: WrittenText): HostEntry | '*' {
  if (text === '*') return '*';
  const host = readHostEntry(text);
  if (host !== undefined) return host;
  throw invalidSetting(path, file, quoted(written), `"*" for every host, or ${HOST_FORM}`);
}

function readKind({ file, path, written, text }: WrittenText): CredentialKind {
  const kind = CREDENTIAL_KINDS.find((one) => one === text);
  if (kind !== undefined) return kind;
  throw invalidSetting(
    path,
    file,
    quoted(written),
    nearestName(text, CREDENTIAL_KINDS) ?? `one of ${CREDENTIAL_KINDS.join(', ')}`,
  );
}

/** Whether the variable is set is checked when a connection needs it. */
function readVariable({ file, path, written, text }: WrittenText): string {
  if (VARIABLE_NAME.test(text)) return text;
  // Not shown: it may be the secret itself instead of a name.
  throw invalidSetting(
    path,
    file,
    written.startsWith('${') ? 'is a value' : 'is not a name',
    'the name of a variable, without ${ and }',
  );
}
