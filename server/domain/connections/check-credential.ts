// Checks the fields of a credential against its kind.
import type { Issue } from '../../../shared/issues.ts';
import type { Connection, ConnectionEntry, Credential } from '../../../shared/schemas/index.ts';
import { HEADER_NAME, isSetByConnection, VARIABLE_NAME } from '../../settings/index.ts';
import { addressIssue } from './check-address.ts';
import { textIssues } from './check-texts.ts';

type Field = Exclude<keyof Credential, 'kind'>;

/** The fields of each kind, required ones first. */
const FIELDS: Readonly<Record<Credential['kind'], { needs: readonly Field[]; takes: readonly Field[] }>> = {
  none: { needs: [], takes: [] },
  secret: { needs: ['name', 'in'], takes: [] },
  reference: { needs: ['variable', 'name', 'in'], takes: [] },
  client_credentials: { needs: ['issuer', 'client_id'], takes: ['scope'] },
};
const ALL: readonly Field[] = ['name', 'in', 'variable', 'issuer', 'client_id', 'scope'];

/** Pointers start at the request. */
export function credentialIssues(kind: Connection['kind'], entry: ConnectionEntry, credential: Credential): Issue[] {
  const { needs, takes } = FIELDS[credential.kind];
  const of = `A credential of the kind ${credential.kind}`;
  const issues = [
    ...needs.filter((field) => credential[field] === undefined).map((field) => at(field, `${of} needs \`${field}\`.`)),
    ...ALL.filter((field) => credential[field] !== undefined && ![...needs, ...takes].includes(field)).map((field) =>
      at(field, `${of} takes no \`${field}\`.`),
    ),
    ...textIssues(credential, '/credential'),
  ];
  return issues.length > 0 ? issues : [...placeIssues(kind, entry, credential), ...ownIssues(credential)];
}

/** Where the value is sent, and under which name. */
function placeIssues(
  kind: Connection['kind'],
  { headers = {}, query_params = {} }: ConnectionEntry,
  credential: Credential,
): Issue[] {
  const { in: location, name } = credential;
  if (location === undefined || name === undefined) return [];
  if (kind === 'mcp' && location !== 'header') {
    return [at('in', 'A connection of the kind mcp sends its credential only in a header; write `header`.')];
  }
  switch (location) {
    case 'header':
      if (!HEADER_NAME.test(name)) return [at('name', 'It has a character that header names cannot have.')];
      if (isSetByConnection(name)) return [at('name', 'This header is set by the connection itself.')];
      return Object.keys(headers).some((one) => one.toLowerCase() === name.toLowerCase())
        ? [at('name', 'The entry sets this header too; remove it there.')]
        : [];
    case 'query':
      return Object.hasOwn(query_params, name)
        ? [at('name', 'The entry sets this query parameter too; remove it there.')]
        : [];
    case 'security':
      return [];
  }
}

function ownIssues({ variable, issuer, scope }: Credential): Issue[] {
  const issues: Issue[] = [];
  if (variable !== undefined && !VARIABLE_NAME.test(variable)) {
    issues.push(
      at('variable', 'It must be the name of a variable: letters, digits and `_`, not beginning with a digit.'),
    );
  }
  if (issuer !== undefined) {
    const wrong = addressIssue(issuer) ?? (issuer.includes('?') ? 'The address of an issuer has no query.' : undefined);
    if (wrong !== undefined) issues.push(at('issuer', wrong));
  }
  // RFC 6749, section 3.3.
  if (scope !== undefined && !/^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/.test(scope)) {
    issues.push(at('scope', 'It must be names of scopes, separated by single spaces.'));
  }
  return issues;
}

function at(field: Field, detail: string): Issue {
  return { pointer: `/credential/${field}`, detail };
}
