import { SegmentedControl, Select, Stack, TextInput } from '@mantine/core';
import type { Connection, Credential } from '../../../shared/api/index.ts';
import type { Draft } from './draft.ts';
import type { Issues } from './issues.tsx';

export interface CredentialChoiceProps {
  kind: Connection['kind'];
  credential: Draft['credential'];
  onChange: (changed: Partial<Draft['credential']>) => void;
  issues: Issues;
}

const KINDS: readonly { value: Credential['kind']; label: string; about: string }[] = [
  { value: 'none', label: 'None', about: 'Requests are sent without a credential.' },
  {
    value: 'secret',
    label: 'Secret',
    about: 'An API key or token. You enter it on the next page. It is encrypted and never shown again.',
  },
  {
    value: 'client_credentials',
    label: 'OAuth client',
    about:
      'Access tokens from an OAuth 2.0 issuer, renewed automatically. You enter the secret or key of the client on the next page.',
  },
  {
    value: 'reference',
    label: "Operator's variable",
    about: 'The value of a variable that the operator provides for connections (connections.variables).',
  },
];

const PLACES = [
  { value: 'header', label: 'Header' },
  { value: 'query', label: 'Query parameter' },
  { value: 'security', label: 'Security scheme' },
] as const;

/** How requests are authenticated. The value is not entered here. */
export function CredentialChoice({ kind, credential, onChange, issues }: CredentialChoiceProps) {
  const chosen = KINDS.find(({ value }) => value === credential.kind);
  const text = (field: Exclude<keyof Credential, 'kind' | 'in'>) => ({
    value: credential[field],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => onChange({ [field]: currentTarget.value }),
    error: issues.at(`/credential/${field}`),
  });
  return (
    <Stack gap="sm">
      <Select
        label="Credential"
        description={chosen?.about}
        data={KINDS.map(({ value, label }) => ({ value, label }))}
        value={credential.kind}
        allowDeselect={false}
        onChange={(value) => onChange({ kind: KINDS.find((one) => one.value === value)?.value ?? 'none' })}
        error={issues.at('/credential/kind')}
      />
      {credential.kind === 'reference' && <TextInput label="Variable" placeholder="DOCS_KEY" {...text('variable')} />}
      {(credential.kind === 'secret' || credential.kind === 'reference') && (
        <>
          {kind === 'openapi' && (
            <SegmentedControl
              aria-label="Sent as"
              size="xs"
              data={PLACES.map(({ value, label }) => ({ value, label }))}
              value={credential.in}
              onChange={(value) => onChange({ in: PLACES.find((one) => one.value === value)?.value ?? 'header' })}
            />
          )}
          <TextInput
            label={kind === 'mcp' || credential.in === 'header' ? 'Header name' : 'Name'}
            placeholder={kind === 'openapi' && credential.in !== 'header' ? 'api_key' : 'authorization'}
            {...text('name')}
            error={issues.at('/credential/name') ?? issues.at('/credential/in')}
          />
        </>
      )}
      {credential.kind === 'client_credentials' && (
        <>
          <TextInput label="Issuer" placeholder="https://login.example.com" {...text('issuer')} />
          <TextInput label="Client ID" {...text('client_id')} />
          <TextInput label="Scope" description="Optional. Separate several scopes with spaces." {...text('scope')} />
        </>
      )}
    </Stack>
  );
}
