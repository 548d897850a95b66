import {
  Button,
  Drawer,
  Group,
  Input,
  MultiSelect,
  SegmentedControl,
  Stack,
  Switch,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../api/call.ts';
import { playbooksQuery } from '../../api/queries.ts';
import { callCopies } from '../../ui/call-copies.ts';
import { CopyAs } from '../../ui/copy-as.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { CredentialChoice } from './credential-choice.tsx';
import { type Draft, dropDraft, keepDraft, readDraft, newConnectionOf } from './draft.ts';
import { issuesOf } from './issues.tsx';
import { escapeToken } from '../../../shared/json-pointer.ts';
import { searchOf } from './connect-link.tsx';
import { keepLink } from './connect-link.tsx';
import { PairsField } from './pairs-field.tsx';
import { connectionsKey } from './service.ts';
import { takesValue } from './words.ts';

export interface AddConnectionProps {
  playbook: string;
  opened: boolean;
  onClose: () => void;
}

const FIELDS = ['url', 'document', 'base_url', 'allowed', 'playbooks', 'request_id'] as const;
const CREDENTIAL_FIELDS = ['kind', 'in', 'name', 'variable', 'issuer', 'client_id', 'scope'] as const;
/** The fields under "More". */
const MORE = ['/entry/headers', '/entry/query_params', '/entry/allowed', '/entry/playbooks', '/entry/request_id'];

export function AddConnection({ playbook, opened, onClose }: AddConnectionProps) {
  return (
    <Drawer opened={opened} onClose={onClose} position="right" size="lg" title="Add a connection">
      <ConnectionForm playbook={playbook} onClose={onClose} />
    </Drawer>
  );
}

function ConnectionForm({ playbook, onClose }: Omit<AddConnectionProps, 'opened'>) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState(readDraft);
  const change = (changed: Partial<Draft>): void => {
    const next = { ...draft, ...changed };
    setDraft(next);
    keepDraft(next);
  };
  const changeCredential = (changed: Partial<Draft['credential']>): void =>
    change({ credential: { ...draft.credential, ...changed } });

  const adding = useMutation({
    mutationFn: () => call('add_connection', newConnectionOf(draft)),
    // The response contains the token of the link.
    gcTime: 0,
    async onSuccess(added) {
      dropDraft();
      keepLink(added);
      await client.invalidateQueries({ queryKey: connectionsKey });
      await navigate({ to: '/connect', search: { ...searchOf(added.connect.url), playbook } });
    },
  });
  const issues = issuesOf(adding.error);
  const said = [
    '/name',
    ...FIELDS.map((field) => `/entry/${field}`),
    ...CREDENTIAL_FIELDS.map((field) => `/credential/${field}`),
    ...draft.headers.map(({ name }) => `/entry/headers/${escapeToken(name)}`),
    ...draft.query_params.map(({ name }) => `/entry/query_params/${escapeToken(name)}`),
  ];
  useEffect(() => {
    if (adding.error !== null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [adding.error]);

  const part = { draft, change, issues };

  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        adding.mutate();
      }}
    >
      <Stack>
        <Text size="sm" c="dimmed">
          Nothing is sent to the server until you approve it on the next page.
        </Text>
        <TextInput
          label="Name"
          description="Functions call its tools as name/tool. Letters, digits, - and _."
          placeholder="issues"
          required
          data-autofocus
          value={draft.name}
          onChange={({ currentTarget }) => change({ name: currentTarget.value })}
          error={issues.at('/name')}
        />
        <div>
          <Input.Label component="div" mb={4}>
            Type
          </Input.Label>
          <SegmentedControl
            aria-label="Type"
            fullWidth
            data={[
              { value: 'mcp', label: 'MCP server' },
              { value: 'openapi', label: 'HTTP API' },
            ]}
            value={draft.kind}
            onChange={(kind) => change({ kind: kind === 'openapi' ? 'openapi' : 'mcp' })}
          />
        </div>
        <AddressFields {...part} />
        <CredentialChoice kind={draft.kind} credential={draft.credential} onChange={changeCredential} issues={issues} />
        <MoreFields {...part} />
        {adding.error !== null && !issues.areAllWithin(said) && <ProblemView error={adding.error} />}
        <Group justify="space-between">
          <CopyAs copies={callCopies('add_connection', newConnectionOf(draft))} />
          <Group gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={adding.isPending}>
              {takesValue(newConnectionOf(draft).credential) ? 'Add and enter credential' : 'Add and review'}
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  );
}

interface PartProps {
  draft: Draft;
  change: (changed: Partial<Draft>) => void;
  issues: ReturnType<typeof issuesOf>;
}

function AddressFields({ draft, change, issues }: PartProps) {
  const address = (field: 'url' | 'document' | 'base_url') => ({
    value: draft[field],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => change({ [field]: currentTarget.value }),
    error: issues.at(`/entry/${field}`),
  });
  if (draft.kind === 'mcp') {
    return (
      <TextInput
        label="Address"
        description="https, or http on this machine."
        placeholder="https://mcp.example.com/mcp"
        required
        {...address('url')}
      />
    );
  }
  return (
    <>
      <TextInput
        label="OpenAPI document"
        description="https, or http on this machine."
        placeholder="https://api.example.com/openapi.json"
        required
        {...address('document')}
      />
      <TextInput
        label="API address"
        description="If the document gives no address, or a different one."
        placeholder="https://api.example.com"
        {...address('base_url')}
      />
    </>
  );
}

function MoreFields({ draft, change, issues }: PartProps) {
  const { data: playbooks = [] } = useQuery(playbooksQuery);
  const isMoreFilled =
    draft.headers.length + draft.query_params.length + draft.allowed.length + draft.playbooks.length > 0 ||
    draft.request_id !== '' ||
    !draft.record_content;
  const [isMore, setMore] = useState(isMoreFilled);
  const isMoreWrong = MORE.some((pointer) => issues.within(pointer) !== undefined);
  const toCredential = (field: 'headers' | 'query_params') => (name: string) =>
    change({
      [field]: draft[field].filter((pair) => pair.name !== name),
      credential: { ...draft.credential, kind: 'secret', in: field === 'headers' ? 'header' : 'query', name },
    });

  return (
    <details open={isMore || isMoreWrong} onToggle={({ currentTarget }) => setMore(currentTarget.open)}>
      <summary>More: tools, playbooks, headers</summary>
      <Stack mt="sm">
        <TagsInput
          label="Tools"
          description="Names of the tools that may be used; * matches any text. Leave empty for all."
          placeholder={draft.allowed.length === 0 ? 'search_*' : ''}
          value={draft.allowed}
          onChange={(allowed) => change({ allowed })}
          error={issues.within('/entry/allowed')}
        />
        <MultiSelect
          label="Playbooks"
          description="Playbooks whose functions may use it. Leave empty for all."
          data={playbooks.map(({ id }) => id)}
          value={draft.playbooks}
          onChange={(chosen) => change({ playbooks: chosen })}
          error={issues.within('/entry/playbooks')}
        />
        <PairsField
          label="Headers"
          one="header"
          description="Sent with every request. Do not put a credential here: use Credential above."
          pairs={draft.headers}
          onChange={(headers) => change({ headers })}
          issueOf={(name) => issues.within(`/entry/headers/${escapeToken(name)}`)}
          onCredential={toCredential('headers')}
        />
        <PairsField
          label="Query parameters"
          one="parameter"
          description="Sent with every request. Do not put a credential here."
          pairs={draft.query_params}
          onChange={(query_params) => change({ query_params })}
          issueOf={(name) => issues.within(`/entry/query_params/${escapeToken(name)}`)}
          onCredential={draft.kind === 'openapi' ? toCredential('query_params') : undefined}
        />
        <TextInput
          label="Request ID"
          description="The response header, or the field in a result's _meta, that holds the server's request ID."
          value={draft.request_id}
          onChange={({ currentTarget }) => change({ request_id: currentTarget.value })}
          error={issues.at('/entry/request_id')}
        />
        <Switch
          label="Record the content of calls in the history"
          checked={draft.record_content}
          onChange={({ currentTarget }) => change({ record_content: currentTarget.checked })}
        />
      </Stack>
    </details>
  );
}
