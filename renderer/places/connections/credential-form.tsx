// The credential exists only in the form fields and in the request that sends it, never in component state, a cache, the
// address or browser storage. The fields are cleared once it was accepted.
import { Button, Group, PasswordInput, SegmentedControl, Select, Stack, Text, Textarea } from '@mantine/core';
import { type ReactNode, type Ref, useState } from 'react';
import { KEY_ALGORITHMS } from '../../../shared/connection-kinds.ts';
import type { Connection, Input } from '../../../shared/api/index.ts';
import type { Issues } from './issues.tsx';

const SECRET = { autoComplete: 'off', spellCheck: false, 'data-1p-ignore': true, 'data-lpignore': 'true' } as const;

export interface CredentialFormProps {
  formRef: Ref<HTMLFormElement>;
  connection: Connection;
  issues: Issues;
  isSending: boolean;
  onSend: () => void;
  /** Further actions. */
  children: ReactNode;
}

export function CredentialForm({ formRef, connection, issues, isSending, onSend, children }: CredentialFormProps) {
  const { credential } = connection;
  return (
    <form
      ref={formRef}
      noValidate
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
    >
      <Stack>
        {credential.kind === 'secret' && (
          <PasswordInput
            {...SECRET}
            name="value"
            label="Value"
            description={valueWords(connection)}
            required
            data-autofocus
            aria-invalid={issues.at('/value') !== undefined}
            error={issues.at('/value')}
          />
        )}
        {credential.kind === 'client_credentials' && <ClientFields issues={issues} />}
        {(credential.kind === 'secret' || credential.kind === 'client_credentials') && (
          <Text size="xs" c="dimmed">
            It is encrypted on this server, never shown again, and kept out of logs, history and responses.
          </Text>
        )}
        <Group justify="space-between">
          {children}
          <Button type="submit" loading={isSending}>
            {credential.kind === 'secret' || credential.kind === 'client_credentials'
              ? 'Save and connect'
              : 'Approve and connect'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function ClientFields({ issues }: { issues: Issues }) {
  const [has, setHas] = useState<'secret' | 'key'>('secret');
  return (
    <>
      <SegmentedControl
        aria-label="Client credential"
        size="xs"
        data={[
          { value: 'secret', label: 'Client secret' },
          { value: 'key', label: 'Private key' },
        ]}
        value={has}
        onChange={(value) => setHas(value === 'key' ? 'key' : 'secret')}
      />
      {has === 'secret' ? (
        <PasswordInput
          {...SECRET}
          name="client_secret"
          label="Client secret"
          required
          aria-invalid={issues.at('/client_secret') !== undefined}
          error={issues.at('/client_secret')}
        />
      ) : (
        <>
          <Textarea
            {...SECRET}
            name="private_key"
            label="Private key"
            description="In PEM form without a password, or as a JWK."
            rows={6}
            required
            className="hidden-text"
            error={issues.at('/private_key')}
          />
          <Select
            name="algorithm"
            label="Algorithm"
            description="The signing algorithm of the key."
            data={[...KEY_ALGORITHMS]}
            defaultValue={KEY_ALGORITHMS[0]}
            allowDeselect={false}
            error={issues.at('/algorithm')}
          />
        </>
      )}
    </>
  );
}

function valueWords({ credential: { in: location, name } }: Connection): string {
  if (location === 'security')
    return `For the security scheme ${name}. Write a user name and password as user:password.`;
  if (location === 'query') return `Sent as the query parameter ${name}.`;
  return name?.toLowerCase() === 'authorization'
    ? 'Exactly as sent, including any prefix, for example Bearer and a space.'
    : `Exactly as sent in the header ${name}.`;
}

type GivenCredential = Omit<Input<'give_credential'>, 'org' | 'id' | 'token'>;

const NAMES = ['value', 'client_secret', 'private_key', 'algorithm'] as const;

/** The values of the form, without empty fields. */
export function givenIn(form: HTMLFormElement | null): GivenCredential {
  if (form === null) return {};
  const fields = new FormData(form);
  const texts = NAMES.map((name) => [name, fields.get(name)] as const);
  return Object.fromEntries(
    texts
      .filter((one): one is readonly [(typeof one)[0], string] => typeof one[1] === 'string' && one[1] !== '')
      .map(([name, text]) => [name, text.replaceAll('\r\n', '\n')]),
  );
}

/** Clears all fields, or those that were rejected. */
export function emptyFields(form: HTMLFormElement | null, isMeant: (name: string) => boolean): void {
  for (const field of form?.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input[name], textarea[name]') ??
    []) {
    if (field.name !== 'algorithm' && isMeant(field.name)) field.value = '';
  }
}
