import './connections.css';
import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link as RouterLink, useNavigate, useSearch } from '@tanstack/react-router';
import { Bot, CircleCheck, CircleSlash, Link2Off, Unplug, UserRound } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Connection } from '../../../shared/schemas/index.ts';
import { ProblemError } from '../../api/problem-error.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Moment } from '../../ui/moment.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { ConnectionStatus } from './connection-status.tsx';
import { CredentialForm, emptyFields, givenIn } from './credential-form.tsx';
import { Facts } from './facts.tsx';
import { issuesOf } from './issues.ts';
import { LinkTime } from './link-time.tsx';
import { dropLink } from './open-links.ts';
import { Readiness } from './readiness.tsx';
import {
  approve,
  connectionQuery,
  connectionsKey,
  giveCredential,
  type Link,
  linkQuery,
  removeConnection,
} from './service.ts';
import { takesValue } from './words.ts';

/** Where a connect link leads: a person sees what is asked for, and approves it or gives its credential. */
export function ConnectPage() {
  const { server, org, connection, token, playbook } = useSearch({ from: '/connect' });
  return (
    <div className="page">
      <div className="connect-sheet">
        {org === undefined || connection === undefined ? (
          <Nothing title="The link is cut short" playbook={playbook}>
            Copy the whole of it, from where it was given to you, and open it again.
          </Nothing>
        ) : token === undefined ? (
          <Result org={org} id={connection} playbook={playbook} />
        ) : server !== undefined && server !== location.origin ? (
          <EmptyState isPage icon={Unplug} title="The link is of another server">
            It belongs to <code>{server}</code>, and this studio to <code>{location.origin}</code>. A credential is
            given to the server that it is meant for, on the page of that server: open the link there.
          </EmptyState>
        ) : (
          <Asked key={token} link={{ org, connection, token }} playbook={playbook} />
        )}
      </div>
    </div>
  );
}

interface AskedProps {
  link: Link;
  playbook: string | undefined;
}

function Asked({ link, playbook }: AskedProps) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const { data: connection, error } = useQuery(linkQuery(link));

  /** The link is used up: its token stands in the address no more. */
  const showResult = async (): Promise<void> => {
    dropLink(link.connection);
    const search = { org: link.org, connection: link.connection, ...(playbook === undefined ? {} : { playbook }) };
    await navigate({ to: '/connect', search, replace: true });
    await client.invalidateQueries({ queryKey: connectionsKey });
  };
  // What is given is no variable of the mutation: those are kept.
  const connecting = useMutation({
    mutationFn: () =>
      connection !== undefined && takesValue(connection.credential)
        ? giveCredential(link, givenIn(form.current))
        : approve(link),
    gcTime: 0,
    async onSuccess() {
      emptyFields(form.current, () => true);
      await showResult();
    },
    onError(refused) {
      const { at } = issuesOf(refused);
      emptyFields(form.current, (name) => at(`/${name}`) !== undefined);
    },
  });
  const refusing = useMutation({
    mutationFn: () => removeConnection(link.org, link.connection),
    onSuccess: showResult,
  });
  const issues = issuesOf(connecting.error);
  const failure = connecting.error ?? refusing.error;
  useEffect(() => {
    if (connecting.error !== null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [connecting.error]);

  if (error instanceof ProblemError && error.problemName === 'not_found') {
    return <Over playbook={playbook} />;
  }
  if (error !== null) return <ProblemView error={error} />;
  if (connection === undefined) return <Skeleton height={420} />;
  return (
    <>
      <PageTitle title={`Connect ${connection.name}`}>
        <LinkTime connection={connection} />
      </PageTitle>
      <Stack>
        <WhoAsked connection={connection} />
        <Facts connection={connection} />
        {failure !== null &&
          !issues.areAllWithin(['/value', '/client_secret', '/private_key', '/algorithm']) &&
          (isOver(failure) ? <Over playbook={playbook} /> : <ProblemView error={failure} />)}
        <CredentialForm
          formRef={form}
          connection={connection}
          issues={issues}
          isSending={connecting.isPending}
          onSend={() => connecting.mutate()}
        >
          <Button variant="default" color="red" loading={refusing.isPending} onClick={() => refusing.mutate()}>
            Refuse and remove
          </Button>
        </CredentialForm>
      </Stack>
    </>
  );
}

function isOver(error: unknown): boolean {
  return error instanceof ProblemError && error.problemName === 'not_found';
}

/** On a laptop whoever has the link may approve, so that the page says who wants it. */
function WhoAsked({ connection: { asked_by: agent, added_by: by, added_at: at } }: { connection: Connection }) {
  return agent === undefined ? (
    <Alert color="gray" icon={<UserRound size={18} />} title={`Added by ${by}`}>
      <Text size="sm">
        <Moment at={at} />, in this studio or by a program on this machine. Go on if you know the server and want its
        tools used.
      </Text>
    </Alert>
  ) : (
    <Alert color="yellow" icon={<Bot size={18} />} title="An agent asks for this">
      <Text size="sm">
        It calls itself <strong>{agent.replace(/^mcp:/, '')}</strong> and added this over MCP, <Moment at={at} />. No
        person has looked at it yet, and whoever has this link can connect it: go on only if you know the server and
        want its tools used.
      </Text>
    </Alert>
  );
}

function Over({ playbook }: { playbook: string | undefined }) {
  return (
    <Nothing title="The link does not work any more" playbook={playbook}>
      It was used, it is older than ten minutes, or it is not whole. If the connection still waits, remove it and add it
      again for a new link, or ask the agent to.
    </Nothing>
  );
}

function Nothing({ title, playbook, children }: { title: string; playbook: string | undefined; children: ReactNode }) {
  return (
    <EmptyState isPage icon={Link2Off} title={title} action={<Back playbook={playbook} />}>
      {children}
    </EmptyState>
  );
}

function Back({ playbook, connection }: { playbook: string | undefined; connection?: string }) {
  return playbook === undefined ? (
    <RouterLink to="/">All playbooks</RouterLink>
  ) : (
    <RouterLink
      to="/playbooks/$playbook/connections"
      params={{ playbook }}
      search={connection === undefined ? {} : { connection }}
    >
      Connections
    </RouterLink>
  );
}

/** What became of it. */
function Result({ org, id, playbook }: { org: string; id: string; playbook: string | undefined }) {
  const { data: connection, error } = useQuery(connectionQuery(org, id));
  if (error !== null) return <ProblemView error={error} />;
  if (connection === undefined) return <Skeleton height={240} />;
  const { name, status, asked_by: agent } = connection;
  const isConnected = status === 'connected';
  return (
    <>
      <PageTitle title={isConnected ? `${name} is connected` : name}>
        <ConnectionStatus status={status} />
      </PageTitle>
      <Stack>
        {isConnected && (
          <>
            <Alert color="teal" icon={<CircleCheck size={18} />} role="status" title="Done">
              {agent === undefined
                ? 'Functions may use its tools from now on.'
                : 'The agent may use its tools from now on: close this page and go back to it.'}
            </Alert>
            <Readiness org={org} connection={connection} />
          </>
        )}
        {status === 'removed' && (
          <Alert color="gray" icon={<CircleSlash size={18} />} role="status" title="It was removed">
            Nothing was sent to it, and no agent can use it.
          </Alert>
        )}
        {status === 'pending' && <Text size="sm">It still waits for a person: open its link.</Text>}
        {status === 'broken' && <Text size="sm">{connection.broken}</Text>}
        <Facts connection={connection} />
        <Group>
          <Back playbook={playbook} connection={id} />
        </Group>
      </Stack>
    </>
  );
}
