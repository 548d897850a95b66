import './graph.css';
import { Table } from '@mantine/core';
import { useMemo } from 'react';
import type { DocumentGraph } from '../../shared/api/index.ts';
import { plainSummary, stepAt } from './steps.ts';
import { TableHead } from '../ui/table-head.tsx';

export interface StepsTableProps {
  graph: DocumentGraph;
  /** The current line in the editor: its step is highlighted. */
  line?: number | undefined;
  onLine: (line: number) => void;
}

/** The graph as a table: the steps by line, and the steps that follow each. */
export function StepsTable({ graph, line, onLine }: StepsTableProps) {
  const rows = useMemo(() => rowsOf(graph), [graph]);
  const marked = stepAt(graph, line);
  return (
    <Table.ScrollContainer minWidth={320} type="native">
      <Table verticalSpacing={5} fz="sm" aria-label="Steps">
        <TableHead titles={['Line', 'Step', 'Action', 'Next step']} />
        <Table.Tbody>
          {rows.map(({ step, depth, nextSteps }) => (
            <Table.Tr key={step.id} aria-current={step.id === marked || undefined} className="steps-row">
              <Table.Td>
                <button type="button" className="line-link number" onClick={() => onLine(step.line)}>
                  <span className="visually-hidden">Line </span>
                  {step.line}
                </button>
              </Table.Td>
              <Table.Td style={{ paddingLeft: 10 + depth * 14 }} fw={600}>
                {step.name}
              </Table.Td>
              <Table.Td>{actionWords(step)}</Table.Td>
              <Table.Td>{nextSteps}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

type Step = DocumentGraph['nodes'][number];

/** What a step does. Summaries begin with a verb. */
function actionWords({ type, calls, summary }: Step): string {
  if (calls !== undefined) return `${type} ${calls}`;
  return summary === '' ? type : plainSummary(summary);
}

interface Row {
  step: Step;
  depth: number;
  nextSteps: string;
}

function rowsOf({ nodes, edges }: DocumentGraph): Row[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const depthOf = (parent: string | undefined): number => {
    let depth = 0;
    for (let id = parent; id !== undefined; id = byId.get(id)?.parent) depth += 1;
    return depth;
  };
  return nodes
    .filter(({ type }) => type !== 'start' && type !== 'end')
    .toSorted((a, b) => a.line - b.line)
    .map((step) => ({
      step,
      depth: depthOf(step.parent),
      nextSteps: edges
        .filter(({ from }) => from === step.id)
        .map(({ to, label }) => `${byId.get(to)?.name ?? to}${label === undefined ? '' : ` (${label})`}`)
        .join(', '),
    }));
}
