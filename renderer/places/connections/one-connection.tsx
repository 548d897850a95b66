import { Alert, Button, Drawer, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CircleAlert, Hourglass, KeyRound, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Connection } from '../../../shared/api/index.ts';
import { ButtonLink } from '../../ui/links.tsx';
import { curlCopy } from '../../ui/call-copies.ts';
import { CopyAs } from '../../ui/copy-as.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { session } from '../../api/session/session.ts';
import { ProblemView } from '../../ui/problem-view.tsx';
import { ConnectionStatus } from './facts.tsx';
import { Facts } from './facts.tsx';
import { searchOf } from './connect-link.tsx';
import { LinkTime, useLinkIsOpen } from './connect-link.tsx';
import { linkOf } from './connect-link.tsx';
import { Readiness } from './readiness.tsx';
import { RemoveConnection } from './remove-connection.tsx';
import { connectionQuery } from './service.ts';
import { takesValue } from './words.ts';
import { IfMay } from '../../sign-in/if-may.tsx';

export interface OneConnectionProps {
  playbook: string;
  id: string;
  onClose: () => void;
  /** Adds the connection again with the same values. */
  onAgain: (connection: Connection) => void;
}

export function OneConnection({ playbook, id, onClose, onAgain }: OneConnectionProps) {
  const { data: connection, error } = useQuery({ ...connectionQuery(session.org(), id), refetchInterval: 4_000 });
  const [removing, setRemoving] = useState<'removed' | 'replaced'>();
  return (
    <Drawer opened onClose={onClose} position="right" size="lg" title={connection?.name ?? 'Connection'}>
      {error !== null && <ProblemView error={error} />}
      {connection === undefined && error === null && <Skeleton height={280} />}
      {connection !== undefined && (
        <Stack>
          <Group gap="md">
            <ConnectionStatus status={connection.status} />
            <Text size="sm" c="dimmed">
              Added <RelativeTime at={connection.added_at} /> by {connection.added_by}
              {connection.asked_by !== undefined && `, requested by ${connection.asked_by}`}
            </Text>
          </Group>
          <Next playbook={playbook} connection={connection} onReplace={() => setRemoving('replaced')} />
          <Facts connection={connection} />
          {connection.credential_ends_with !== null && (
            <Text size="sm">
              The stored credential ends with <code>{connection.credential_ends_with}</code>
            </Text>
          )}
          <Group justify="space-between">
            <CopyAs
              copies={[
                curlCopy('get_connection', { id }),
                { name: 'JSON', text: () => JSON.stringify(connection, undefined, 2) },
              ]}
            />
            <IfMay call="remove_connection">
              {connection.status === 'removed' ? (
                <Button size="xs" variant="default" onClick={() => onAgain(connection)}>
                  Add it again…
                </Button>
              ) : (
                <Button
                  size="xs"
                  variant="default"
                  leftSection={<Trash2 size={14} aria-hidden />}
                  onClick={() => setRemoving('removed')}
                >
                  Remove…
                </Button>
              )}
            </IfMay>
          </Group>
          {removing !== undefined && (
            <RemoveConnection
              connection={connection}
              isReplaced={removing === 'replaced'}
              onClose={() => setRemoving(undefined)}
              onRemoved={() => {
                setRemoving(undefined);
                if (removing === 'replaced') onAgain(connection);
                else onClose();
              }}
            />
          )}
        </Stack>
      )}
    </Drawer>
  );
}

interface NextProps {
  playbook: string;
  connection: Connection;
  onReplace: () => void;
}

/** The next action for a connection, by status. */
function Next({ playbook, connection, onReplace }: NextProps) {
  switch (connection.status) {
    case 'pending':
      return <Pending playbook={playbook} connection={connection} onReplace={onReplace} />;
    case 'connected':
      return <Readiness org={session.org()} connection={connection} />;
    case 'broken':
      return (
        <Alert color="red" icon={<CircleAlert size={18} />} title="The credential can no longer be read">
          <Text size="sm">{connection.broken}</Text>
          <Text size="sm" mt={6}>
            Remove the connection, add it again, and enter the credential again. Nothing else is affected.
          </Text>
          <Button size="xs" mt="sm" onClick={onReplace}>
            Remove and add again…
          </Button>
        </Alert>
      );
    case 'removed':
      return null;
  }
}

function Pending({ playbook, connection, onReplace }: NextProps) {
  const isOpen = useLinkIsOpen(connection);
  const link = linkOf(connection.id);
  const does = takesValue(connection.credential) ? 'Enter credential' : 'Review and approve';
  if (!isOpen) {
    return (
      <Alert color="yellow" icon={<Hourglass size={18} />} title="The link expired">
        <Text size="sm">A link is valid for ten minutes and works once. Add the connection again for a new link.</Text>
        <Button size="xs" mt="sm" onClick={onReplace}>
          Remove and add again…
        </Button>
      </Alert>
    );
  }
  return (
    <Alert color="yellow" icon={<KeyRound size={18} />} title="Waiting for approval">
      <Group justify="space-between">
        {link === undefined ? (
          <Text size="sm" style={{ flex: 1 }}>
            Open the link that was returned when the connection was added. An agent shows it in its response. It is not
            stored anywhere else.
          </Text>
        ) : (
          <ButtonLink size="xs" to="/connect" search={{ ...searchOf(link), playbook }}>
            {does}
          </ButtonLink>
        )}
        <LinkTime connection={connection} />
      </Group>
    </Alert>
  );
}
