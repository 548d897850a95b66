import {
  Alert,
  Button,
  Group,
  List,
  Modal,
  PasswordInput,
  SegmentedControl,
  Skeleton,
  Stack,
  Text,
  Textarea,
  type ButtonProps,
} from '@mantine/core';
import { ClipboardPaste, TriangleAlert } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { IfMay } from '../../sign-in/if-may.tsx';
import { session } from '../../api/session/session.ts';
import { InlineCode } from '../../ui/inline-code.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { useIsNarrow } from '../../ui/use-narrow.ts';
import { AddedTools } from './added-tools.tsx';
import { type AddedServers, type ServerPlan, useAdd, usePlan } from './paste-queries.ts';
import { ActionDialog } from '../../ui/action-dialog.tsx';

const TextDiff = lazy(async () => ({ default: (await import('../../editor/diff-view.tsx')).TextDiff }));

const SIDES = ['Configuration now', 'Configuration after the change'] as const;
const ADDRESS_KINDS = [
  { value: 'mcp', label: 'MCP server' },
  { value: 'openapi', label: 'HTTP API with an OpenAPI document' },
] as const;
type AddressKind = (typeof ADDRESS_KINDS)[number]['value'];

export function PasteServersButton({ onPaste, ...look }: { onPaste: () => void } & Pick<ButtonProps, 'size'>) {
  if (!session.isLocal) return null;
  return (
    <IfMay call="add_tool_servers">
      <Button {...look} variant="default" leftSection={<ClipboardPaste size={15} aria-hidden />} onClick={onPaste}>
        Paste a server…
      </Button>
    </IfMay>
  );
}

/** The paste, then the differences that it makes, then the tools of what was added. */
export function PasteServers({ playbook, onClose }: { playbook: string; onClose: () => void }) {
  const isNarrow = useIsNarrow();
  const [text, setText] = useState('');
  const [kind, setKind] = useState<AddressKind>();
  const [plan, setPlan] = useState<ServerPlan>();
  const [added, setAdded] = useState<AddedServers>();
  const planning = usePlan(setPlan);
  const paste = { text, ...(kind === undefined ? {} : { address_is: kind }) };
  if (added !== undefined) {
    return (
      <Modal opened onClose={onClose} title="Tool servers added" centered size="lg">
        <AddedTools playbook={playbook} servers={added} onClose={onClose} />
      </Modal>
    );
  }
  if (plan !== undefined) {
    return (
      <Modal opened onClose={onClose} title="Change the configuration?" centered size="90%">
        <Planned paste={paste} plan={plan} onBack={() => setPlan(undefined)} onAdded={setAdded} />
      </Modal>
    );
  }
  const isAddress = /^\s*https?:\/\/\S+\s*$/i.test(text);
  return (
    <ActionDialog
      title="Paste a tool server"
      size="lg"
      action="Preview"
      isPending={planning.isPending}
      error={planning.error}
      onAction={() => planning.mutate(paste)}
      onClose={onClose}
    >
      <Textarea
        label="Configuration, command or address"
        description="The configuration of another client, a command that starts or adds an MCP server, an install link, the address of an MCP server, or of an OpenAPI document."
        placeholder={'npx -y @modelcontextprotocol/server-filesystem /srv/docs'}
        autosize
        minRows={5}
        maxRows={16}
        required
        data-autofocus
        spellCheck={false}
        autoComplete="off"
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
        value={text}
        onChange={({ currentTarget: { value } }) => {
          setText(value);
          setKind(undefined);
        }}
      />
      {isAddress && (
        <SegmentedControl
          aria-label="What is at the address"
          orientation={isNarrow ? 'vertical' : 'horizontal'}
          data={[{ value: '', label: 'Auto-detect' }, ...ADDRESS_KINDS]}
          value={kind ?? ''}
          onChange={(value) => setKind(ADDRESS_KINDS.find((one) => one.value === value)?.value)}
        />
      )}
      <Text size="xs" c="dimmed">
        Secrets in it are kept in the file env of the data directory, and are not shown again.
      </Text>
    </ActionDialog>
  );
}

interface PlannedProps {
  paste: { text: string; address_is?: AddressKind };
  plan: ServerPlan;
  onBack: () => void;
  onAdded: (servers: AddedServers) => void;
}

function Planned({ paste, plan, onBack, onAdded }: PlannedProps) {
  const adding = useAdd(onAdded);
  const missing = plan.variables.filter(({ state }) => state === 'missing');
  const kept = plan.variables.filter(({ state }) => state === 'pasted');
  const programs = plan.servers.filter(({ type }) => type === 'stdio').map(({ name }) => name);
  const notes = plan.servers.flatMap((server) => server.notes.map((note) => `${server.name}: ${note}`));
  return (
    <form
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        const given = new FormData(event.currentTarget);
        const values = Object.fromEntries(missing.map(({ name }) => [name, String(given.get(name) ?? '')]));
        adding.mutate({ ...paste, base: plan.base, values });
      }}
    >
      <Stack gap="sm">
        {programs.length > 0 && (
          <Alert
            color="yellow"
            py={8}
            icon={<TriangleAlert size={18} />}
            title="Cuebook starts a program on this machine"
          >
            <Text size="sm">
              {programs.join(', ')}: the program runs with your permissions, outside the sandbox. Only add programs that
              you trust.
            </Text>
          </Alert>
        )}
        {notes.length > 0 && (
          <List size="sm">
            {notes.map((note) => (
              <List.Item key={note}>
                <InlineCode>{note}</InlineCode>
              </List.Item>
            ))}
          </List>
        )}
        <div style={{ height: '38vh', minHeight: 200 }}>
          <Suspense fallback={<Skeleton height="100%" />}>
            <TextDiff language="yaml" before={plan.before} after={plan.after} labels={SIDES} />
          </Suspense>
        </div>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          Changes {plan.file}.
          {kept.length > 0 && ` Saves ${kept.map(({ name }) => name).join(', ')} in ${plan.env_file}.`}
        </Text>
        {missing.map(({ name, server, field }) => (
          <PasswordInput
            key={name}
            name={name}
            label={name}
            description={`Used by ${server}, ${field}.`}
            required
            autoComplete="off"
            spellCheck={false}
            data-1p-ignore
            data-lpignore="true"
          />
        ))}
        {adding.error !== null && <ProblemView error={adding.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onBack}>
            Back
          </Button>
          <Button type="submit" data-autofocus loading={adding.isPending}>
            {plan.servers.length === 1 ? 'Add server' : `Add ${plan.servers.length} servers`}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
