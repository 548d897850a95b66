import './graph.css';
import { Table, Text } from '@mantine/core';
import { useMemo } from 'react';
import type { DocumentGraph } from '../../shared/api/index.ts';
import { plainSummary, stepAt, type StepState } from './steps.ts';

export interface StepsTableProps {
  graph: DocumentGraph;
  /** The current line in the editor: its step is highlighted. */
  line?: number | undefined;
  onLine: (line: number) => void;
  /** The states of the steps of a run, by JSON Pointer. */
  states?: ReadonlyMap<string, StepState>;
}

/** The graph as a table: the steps by line, and the steps that follow each. */
export function StepsTable({ graph, line, onLine, states }: StepsTableProps) {
  const rows = useMemo(() => rowsOf(graph), [graph]);
  const marked = stepAt(graph, line);
  return (
    <Table.ScrollContainer minWidth={380} type="native">
      <Table verticalSpacing={5} fz="sm" aria-label="Steps">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Line</Table.Th>
            <Table.Th>Step</Table.Th>
            <Table.Th>Action</Table.Th>
            <Table.Th>Next step</Table.Th>
            {states !== undefined && <Table.Th>State</Table.Th>}
          </Table.Tr>
        </Table.Thead>
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
              <Table.Td>
                {step.type}
                {(step.calls ?? step.summary) !== '' && (
                  <Text span inherit c="dimmed">
                    {' '}
                    {step.calls ?? plainSummary(step.summary)}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>{nextSteps}</Table.Td>
              {states !== undefined && <Table.Td>{states.get(step.id)?.word ?? 'not reached'}</Table.Td>}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

interface Row {
  step: DocumentGraph['nodes'][number];
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
