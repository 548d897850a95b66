import { Alert, Button, Skeleton, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Bot, UserRound } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Connection } from '../../../shared/api/index.ts';
import { call } from '../../api/call.ts';
import { ProblemError } from '../../api/problem-error.ts';
import { RelativeTime } from '../../ui/times.tsx';
import { session } from '../../api/session/session.ts';
import { PageTitle } from '../../ui/page-title.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { AdderOnly } from './adder-only.tsx';
import { CredentialForm, emptyFields, givenIn } from './credential-form.tsx';
import { Facts } from './facts.tsx';
import { issuesOf } from './issues.tsx';
import { LinkTime } from './connect-link.tsx';
import { NoLink } from './no-link.tsx';
import { dropLink } from './connect-link.tsx';
import { connectionsKey, type Link, linkInput, linkQuery } from './service.ts';
import { takesValue } from './words.ts';

interface AskedProps {
  link: Link;
  playbook: string | undefined;
}

/** A requested connection, to approve, to give a credential, or to reject. */
export function ConnectAsked({ link, playbook }: AskedProps) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const { data: connection, error } = useQuery(linkQuery(link));

  /** The link was used, so its token is removed from the address. */
  const showResult = async (): Promise<void> => {
    dropLink(link.connection);
    const search = { org: link.org, connection: link.connection, ...(playbook === undefined ? {} : { playbook }) };
    await navigate({ to: '/connect', search, replace: true });
    await client.invalidateQueries({ queryKey: connectionsKey });
  };
  // The credential is not a variable of the mutation, because variables are cached.
  const connecting = useMutation({
    mutationFn: () =>
      connection !== undefined && takesValue(connection.credential)
        ? call('give_credential', { ...linkInput(link), ...givenIn(form.current) })
        : call('approve', linkInput(link)),
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
    mutationFn: () => call('remove_connection_by_post', { org: link.org, id: link.connection }),
    onSuccess: showResult,
  });
  const issues = issuesOf(connecting.error);
  const failure = connecting.error ?? refusing.error;
  useEffect(() => {
    if (connecting.error !== null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [connecting.error]);

  if (error !== null) return isOver(error) ? <Over playbook={playbook} /> : <ProblemView error={error} />;
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
        <AdderOnly connection={connection}>
          <CredentialForm
            formRef={form}
            connection={connection}
            issues={issues}
            isSending={connecting.isPending}
            onSend={() => connecting.mutate()}
          >
            <Button variant="default" color="red" loading={refusing.isPending} onClick={() => refusing.mutate()}>
              Reject and remove
            </Button>
          </CredentialForm>
        </AdderOnly>
      </Stack>
    </>
  );
}

function isOver(error: unknown): boolean {
  return error instanceof ProblemError && error.problemName === 'not_found';
}

/** On a laptop, anyone with the link can approve, so the page shows who requested it. */
function WhoAsked({ connection: { asked_by: agent, added_by: by, added_at: at } }: { connection: Connection }) {
  const { isLocal } = session;
  return agent === undefined ? (
    <Alert color="gray" icon={<UserRound size={18} />} title={`Added by ${by}`}>
      <Text size="sm">
        <RelativeTime at={at} />, in this studio or by a program{isLocal && ' on this machine'}. Continue only if you
        know the server and want its tools to be used.
      </Text>
    </Alert>
  ) : (
    <Alert color="yellow" icon={<Bot size={18} />} title="Requested by an agent">
      <Text size="sm">
        It calls itself <strong>{agent.replace(/^mcp:/, '')}</strong> and added this connection over MCP
        {!isLocal && ` for ${by}`}, <RelativeTime at={at} />. No one has reviewed it yet
        {isLocal && ', and anyone with this link can approve it'}. Continue only if you know the server and want its
        tools to be used.
      </Text>
    </Alert>
  );
}

function Over({ playbook }: { playbook: string | undefined }) {
  return (
    <NoLink title="The link no longer works" playbook={playbook}>
      It was already used, is older than ten minutes, or is incomplete. If the connection is still waiting, remove it
      and add it again for a new link, or ask the agent to do so.
    </NoLink>
  );
}
