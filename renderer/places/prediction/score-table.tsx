import { Table } from '@mantine/core';
import { Mark } from '../../ui/mark.tsx';
import type { ScoredModel } from './build-story.ts';
import { figureWords, SCORE_COLUMNS } from './figures.ts';

/** The scores of candidates and baselines; the candidate that became a version is marked. */
export function ScoreTable({ models }: { models: readonly ScoredModel[] }) {
  return (
    <div className="prediction-table" tabIndex={0} role="group" aria-label="Scores">
      <Table className="number" fz="sm" mt={6} horizontalSpacing={8}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Model</Table.Th>
            <Table.Th>Result</Table.Th>
            {SCORE_COLUMNS.map(({ title, about }) => (
              <Table.Th key={title} title={about} ta="end">
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {models.map(({ name, isBaseline, scores, disqualified, isBest }) => (
            <Table.Tr key={name} fw={isBest ? 600 : 400}>
              <Table.Td>{isBaseline ? name : <code title={name}>{name.slice(0, 12)}</code>}</Table.Td>
              <Table.Td>
                {isBest && <Mark sense="good">Best</Mark>}
                {isBaseline && 'Baseline'}
                {disqualified !== undefined && <Mark sense="bad">Disqualified: {disqualified}</Mark>}
              </Table.Td>
              {SCORE_COLUMNS.map(({ name: column, isShare }) => (
                <Table.Td key={column} ta="end">
                  {figureWords(scores?.[column], isShare)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
