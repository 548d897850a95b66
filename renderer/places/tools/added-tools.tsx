import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { AnchorLink } from '../../ui/links.tsx';
import { Mark } from '../../ui/mark.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { type AddedServers, addedToolsQuery } from './paste-queries.ts';
import { Installing } from './servers-panel.tsx';
import { meaningOf } from './unavailable.ts';

/** Tools that are offered to be called. */
const MOST_SHOWN = 8;

export interface AddedToolsProps {
  playbook: string;
  servers: AddedServers;
  onClose: () => void;
}

/** The tools of servers that were just added: each leads to the form that calls it. */
export function AddedTools({ playbook, servers, onClose }: AddedToolsProps) {
  return (
    <Stack>
      {servers.map(({ name }) => (
        <ToolsOfServer key={name} playbook={playbook} server={name} />
      ))}
      <Group justify="flex-end">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  );
}

function ToolsOfServer({ playbook, server }: { playbook: string; server: string }) {
  const found = useQuery(addedToolsQuery(playbook, server));
  const state = found.data?.servers.find(({ name }) => name === server);
  // Calling a tool that only reads is the safer test.
  const tools = (found.data?.tools ?? []).toSorted((a, b) => Number(b.read_only) - Number(a.read_only));
  return (
    <section aria-label={server}>
      <Text component="h3" fw={650} size="sm">
        {server}
      </Text>
      <Text size="sm" component="div" role="status">
        {found.isPending && <Skeleton height={20} />}
        {state?.installing === true && <Installing />}
        {state?.tool_count === undefined && state !== undefined && state.installing !== true && (
          <Mark sense="warn">
            {meaningOf(state.because)} Checking again…
            <span className="tool-server-said">{state.unavailable}</span>
          </Mark>
        )}
        {state?.tool_count !== undefined && (
          <Mark sense="good">{state.tool_count === 1 ? '1 tool' : `${state.tool_count.toLocaleString()} tools`}</Mark>
        )}
      </Text>
      {found.error !== null && <ProblemView error={found.error} />}
      {tools.length > 0 && (
        <>
          <Text size="sm" mt={4}>
            Test one with a call:
          </Text>
          <ul className="added-tools">
            {tools.slice(0, MOST_SHOWN).map(({ tool, summary }) => (
              <li key={tool}>
                <AnchorLink
                  size="sm"
                  className="tool-name"
                  to="/playbooks/$playbook/tools/$server/$tool"
                  params={{ playbook, server, tool }}
                >
                  {tool}
                </AnchorLink>{' '}
                <Text span size="xs" c="dimmed">
                  {summary}
                </Text>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
