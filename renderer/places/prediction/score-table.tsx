import { Table } from '@mantine/core';
import { Mark } from '../../ui/mark.tsx';
import type { ScoredModel } from './build-story.ts';
import type { Scores } from './queries.ts';

/** The columns of a table of scores. */
export const SCORE_COLUMNS: readonly { name: keyof Scores; title: string; about: string; isShare?: boolean }[] = [
  { name: 'score', title: 'Score', about: 'Mean scaled pinball loss; lower is better' },
  { name: 'mase', title: 'MASE', about: 'Mean absolute scaled error; lower is better' },
  { name: 'coverage', title: 'Coverage', about: 'The share of values inside the interval', isShare: true },
  { name: 'width', title: 'Width', about: 'The mean scaled width of the interval' },
];

/** A figure for people; an en dash if it was not measured. */
export function figureWords(value: number | null | undefined, isShare = false): string {
  if (value === null || value === undefined) return '–';
  if (isShare) return `${(100 * value).toLocaleString(undefined, { maximumFractionDigits: 1 })}%`;
  return value.toLocaleString(undefined, { minimumFractionDigits: 3, maximumFractionDigits: 3 });
}

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
