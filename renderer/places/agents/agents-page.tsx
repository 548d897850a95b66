import './agents.css';
import { Button, Checkbox, Group, SegmentedControl, Skeleton, Stack, Tabs, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { Download, ExternalLink } from 'lucide-react';
import type { AgentSetup } from '../../../shared/api/index.ts';
import { useChangeSearch } from '../../ui/search-params.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { CopyAs } from '../../ui/copy-as.tsx';
import { desktop } from '../../ui/desktop.ts';
import { InlineCode } from '../../ui/inline-code.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { TryEndpoint } from './try-endpoint.tsx';
import { endpointOf, setupQuery, type Wanted } from './setup.ts';
import { session } from '../../api/session/session.ts';

export function AgentsPage() {
  const { playbook } = useParams({ from: '/playbooks/$playbook/agents' });
  const search = useSearch({ from: '/playbooks/$playbook/agents' });
  const change = useChangeSearch(search);
  const wanted: Wanted = {
    playbook: search.scope === 'playbook' ? playbook : undefined,
    read: search.read === true,
  };
  // The paths of a published server mean nothing on the machine of the agent.
  const { data: setup, error } = useQuery({
    ...setupQuery(wanted),
    placeholderData: (before) => before,
    enabled: session.isLocal,
  });

  return (
    <div className="page">
      <div className="page-inner">
        <PageTitle
          title="Connect an agent"
          about="Agents use Cuebook over MCP: they write and run definitions, inspect runs, and request connections."
        />
        <Group gap="lg" mb="lg">
          <SegmentedControl
            aria-label="Access"
            size="xs"
            data={[
              { value: 'org', label: 'Every playbook' },
              { value: 'playbook', label: `Only ${playbook}` },
            ]}
            value={search.scope ?? 'org'}
            onChange={(value) => change({ scope: value === 'playbook' ? 'playbook' : undefined })}
          />
          <Checkbox
            label="Read-only tools"
            checked={wanted.read}
            onChange={({ currentTarget }) => change({ read: currentTarget.checked ? true : undefined })}
          />
        </Group>
        {error !== null && <ProblemView error={error} />}
        {!session.isLocal && <RemoteClients wanted={wanted} playbook={playbook} />}
        {session.isLocal && setup === undefined && error === null && <Skeleton height={300} />}
        {setup !== undefined && (
          <Tabs
            value={search.client ?? setup.clients[0]?.client ?? null}
            onChange={(value) => change({ client: value ?? undefined })}
            keepMounted={false}
          >
            <Tabs.List>
              {setup.clients.map(({ client, title }) => (
                <Tabs.Tab key={client} value={client}>
                  {title}
                </Tabs.Tab>
              ))}
              <Tabs.Tab value="other">Other</Tabs.Tab>
            </Tabs.List>
            {setup.clients.map((client) => (
              <Tabs.Panel key={client.client} value={client.client} pt="md">
                <ClientSteps client={client} bundle={setup.bundle} wanted={wanted} />
              </Tabs.Panel>
            ))}
            <Tabs.Panel value="other" pt="md">
              <OtherClients wanted={wanted} playbook={playbook} />
            </Tabs.Panel>
          </Tabs>
        )}
        <TryEndpoint key={endpointOf(wanted)} endpoint={endpointOf(wanted)} />
      </div>
    </div>
  );
}

interface ClientStepsProps {
  client: AgentSetup['clients'][number];
  bundle: string | null;
  wanted: Wanted;
}

function ClientSteps({ client: { client, title, file, config, link, then }, bundle, wanted }: ClientStepsProps) {
  const text = JSON.stringify(config, undefined, 2);
  const options = `${wanted.playbook === undefined ? '' : ` --playbook ${wanted.playbook}`}${wanted.read ? ' --read' : ''}`;
  const command = `npx cuebook connect ${client}${options} --write`;
  return (
    <Stack>
      {link !== undefined && desktop === undefined && (
        <div>
          <Button component="a" href={link} leftSection={<ExternalLink size={15} aria-hidden />}>
            Add to {title}
          </Button>
          <Text size="sm" c="dimmed" mt={6}>
            {title} opens and asks whether to add the server. Or add it manually:
          </Text>
        </div>
      )}
      {client === 'claude-desktop' && <Bundle bundle={bundle} />}
      <ol className="agent-steps">
        <li>
          <Text size="sm" mb={6}>
            Add this to <code>{file}</code>, or run <code>{command}</code>.
          </Text>
          <CodeBlock text={text} label="configuration" />
        </li>
        <li>
          <Text size="sm">
            <InlineCode>{then}</InlineCode>
          </Text>
        </li>
        <li>
          <Text size="sm">
            Ask the agent: <em>Which playbooks are there in Cuebook?</em> It calls <code>list_playbooks</code>.
          </Text>
        </li>
      </ol>
    </Stack>
  );
}

function Bundle({ bundle }: { bundle: string | null }) {
  if (bundle === null) {
    return (
      <Text size="sm" c="dimmed">
        For a one-click installation, run <code>npm run mcpb</code> and restart Cuebook. You can then download the
        bundle for Claude Desktop here.
      </Text>
    );
  }
  return (
    <div>
      <Button component="a" href={`./assets/${bundle}`} download leftSection={<Download size={15} aria-hidden />}>
        Download the bundle
      </Button>
      <Text size="sm" c="dimmed" mt={6}>
        Open the bundle with Claude Desktop to install it. It keeps its data in the standard data directory. To use this
        server instead:
      </Text>
    </div>
  );
}

/** How agents connect to a published server. */
function RemoteClients({ wanted, playbook }: { wanted: Wanted; playbook: string }) {
  const options = `${wanted.playbook === undefined ? '' : ` --playbook ${wanted.playbook}`}${wanted.read ? ' --read' : ''}`;
  return (
    <Stack>
      <Text size="sm">
        Clients that connect over HTTP use one of these addresses, with an API key in the header{' '}
        <code>Authorization: Bearer</code>. Append <code className="unbroken">?tools=read</code> for read-only tools.
      </Text>
      <Addresses wanted={wanted} playbook={playbook} />
      <Text size="sm">
        Clients that start servers as processes use this command, with the key in the environment variable{' '}
        <code>CUEBOOK_KEY</code>:
      </Text>
      <CodeBlock text={`npx cuebook mcp --server ${location.origin}${options}`} label="command" />
    </Stack>
  );
}

function OtherClients({ wanted, playbook }: { wanted: Wanted; playbook: string }) {
  return (
    <Stack>
      <Text size="sm">
        Clients that connect over HTTP use one of these addresses. No key is needed on this machine. Append{' '}
        <code className="unbroken">?tools=read</code> for read-only tools.
      </Text>
      <Addresses wanted={wanted} playbook={playbook} />
      <Text size="sm">Clients that start servers as processes use the command and arguments shown under Cursor.</Text>
    </Stack>
  );
}

/** The addresses of the MCP endpoints. */
function Addresses({ wanted, playbook }: { wanted: Wanted; playbook: string }) {
  const addresses = [
    ['Everything in the org', { ...wanted, playbook: undefined }],
    [`Playbook ${playbook} and the definitions it exposes`, { ...wanted, playbook }],
  ] as const;
  return (
    <>
      {addresses.map(([what, one]) => (
        <div key={what}>
          <Title order={2} fz="sm" mb={4}>
            {what}
          </Title>
          <div className="agent-address">
            {location.origin}
            {endpointOf(one)}
            <CopyAs copies={[{ name: 'address', text: () => `${location.origin}${endpointOf(one)}` }]} />
          </div>
        </div>
      ))}
    </>
  );
}
