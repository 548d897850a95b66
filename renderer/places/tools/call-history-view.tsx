import { Button, Group, Skeleton, Table, Text } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { ToolKey } from '../../api/queries.ts';
import { useLiveEvents } from '../../api/live.tsx';
import { durationWords } from '../../../shared/duration-words.ts';
import { AnchorLink } from '../../ui/links.tsx';
import { Mark } from '../../ui/mark.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { RowLink } from '../../ui/list-row.tsx';
import { useRowKeys } from '../../ui/use-row-keys.ts';
import { type CallOfHistory, isCall } from './call-history.ts';
import { NO_ANSWER, OUTCOMES } from './outcomes.ts';
import { callHistoryKey, callHistoryQuery } from './tool-queries.ts';
import { TableHead } from '../../ui/table-head.tsx';

/** All executed calls of the tool, updated live. */
export function CallHistory({ toolKey }: { toolKey: ToolKey }) {
  const { playbook, server, tool } = toolKey;
  const client = useQueryClient();
  const history = useInfiniteQuery(callHistoryQuery(toolKey));
  useLiveEvents(({ data, metadata }) => {
    if (!isCall(metadata.stream) || data['server'] !== server || data['tool'] !== tool) return;
    void client.invalidateQueries({ queryKey: callHistoryKey(toolKey) });
  });
  const calls = history.data ?? [];
  const section = useRef<HTMLElement>(null);
  useRowKeys(section, calls.length);
  return (
    <section ref={section} aria-label="History" className="call-history">
      <Group justify="space-between" mb="xs">
        <Text component="h2" fw={650}>
          Executed calls
        </Text>
        <AnchorLink
          size="sm"
          to="/playbooks/$playbook/events"
          params={{ playbook }}
          search={{ type: 'tool_call_started' }}
        >
          All calls, including those of runs
        </AnchorLink>
      </Group>
      {history.error !== null && <ProblemView error={history.error} />}
      {history.isPending && <Skeleton height={80} />}
      {history.data !== undefined && calls.length === 0 && (
        <Text size="sm" c="dimmed">
          {history.hasNextPage
            ? 'No calls of this tool among the latest calls of this playbook.'
            : 'No calls yet. Every executed call is recorded and listed here.'}
        </Text>
      )}
      {calls.length > 0 && (
        <Table className="number" aria-label="Executed calls">
          <TableHead titles={['When', 'Outcome', 'Duration', 'By', 'Arguments']} />
          <Table.Tbody>
            {calls.map((call, index) => (
              <Row key={call.callId} playbook={playbook} index={index} call={call} />
            ))}
          </Table.Tbody>
        </Table>
      )}
      {history.hasNextPage && (
        <Button
          size="xs"
          variant="default"
          mt="xs"
          loading={history.isFetchingNextPage}
          onClick={() => void history.fetchNextPage()}
        >
          Show earlier calls
        </Button>
      )}
    </section>
  );
}

function Row({ playbook, index, call }: { playbook: string; index: number; call: CallOfHistory }) {
  const { word, sense, icon } = call.outcome === null ? NO_ANSWER : OUTCOMES[call.outcome];
  const args = call.arguments === undefined ? 'not recorded, or too large' : JSON.stringify(call.arguments);
  return (
    <Table.Tr data-index={index} className="row">
      <Table.Td>
        <RowLink to="/playbooks/$playbook/events" params={{ playbook }} search={{ event: call.eventId }}>
          <RelativeTime at={call.at} />
        </RowLink>
      </Table.Td>
      <Table.Td>
        <Mark sense={sense} icon={icon}>
          {word}
        </Mark>
      </Table.Td>
      <Table.Td>{call.durationMs === undefined ? '' : durationWords(call.durationMs)}</Table.Td>
      <Table.Td>{call.by}</Table.Td>
      <Table.Td className="tool-arguments">{args}</Table.Td>
    </Table.Tr>
  );
}
