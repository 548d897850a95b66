import { Group, Stack, Table, Text } from '@mantine/core';
import { CircleCheck, CircleX } from 'lucide-react';
import { durationWords } from '../../../shared/duration-words.ts';
import type { Turn } from './turns.ts';
import { TableHead } from '../../ui/table-head.tsx';

const TITLES = ['Turn', 'Finish reason', 'Tool calls', 'Input tokens', 'Cached tokens', 'Output tokens', 'Duration'];

/** The turns of the model. Prompts and responses are not recorded; tool arguments are in the history. */
export function TurnsTable({ turns, record }: { turns: readonly Turn[]; record: Readonly<Record<string, unknown>> }) {
  const model = record['model'] as { requested?: string; resolved?: string; reported?: string | null } | undefined;
  const names = [...new Set([model?.requested, model?.resolved, model?.reported])].filter(
    (name) => typeof name === 'string',
  );
  return (
    <div className="card" style={{ overflowX: 'auto' }} tabIndex={0} role="group" aria-label="Model turns">
      <Text size="sm" c="dimmed" mb={4}>
        {names.join(' → ')}
      </Text>
      <Table className="number" fz="xs" verticalSpacing={6} horizontalSpacing={6}>
        <TableHead titles={TITLES} />
        <Table.Tbody>
          {turns.map(({ finishReason, calls, tokens, durationMs }, index) => (
            // Turns never move, and their index is their only identity.
            <Table.Tr key={index}>
              <Table.Td>{index + 1}</Table.Td>
              <Table.Td>{finishReason.replaceAll(/[-_]/g, ' ')}</Table.Td>
              <Table.Td>
                {calls.length === 0 ? (
                  '–'
                ) : (
                  <Stack gap={2}>
                    {calls.map(({ server, tool, outcome }, place) => (
                      <Group key={`${place} ${tool}`} gap={6} wrap="nowrap">
                        {outcome === 'result' ? (
                          <CircleCheck
                            size={14}
                            style={{ color: 'var(--cue-good)' }}
                            role="img"
                            aria-label="Answered"
                          />
                        ) : (
                          <CircleX size={14} style={{ color: 'var(--cue-bad)' }} role="img" aria-label={outcome} />
                        )}
                        <span>
                          {server}/{tool}
                        </span>
                      </Group>
                    ))}
                  </Stack>
                )}
              </Table.Td>
              <Table.Td>{tokens.input.toLocaleString()}</Table.Td>
              <Table.Td>{tokens.cached.toLocaleString()}</Table.Td>
              <Table.Td>{tokens.output.toLocaleString()}</Table.Td>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>{durationWords(durationMs)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
