import { Button, Group, Text } from '@mantine/core';
import { ChevronDown, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { DEFINITION_FACTS } from '../../../shared/definition-types.ts';
import { RowLink } from '../../ui/list-row.tsx';
import { TypeIcon } from '../../ui/type-icon.tsx';
import type { ShownColumns } from './run-columns.tsx';
import type { RunRow } from './run-rows.ts';

type RowOf<Is extends RunRow['is']> = Extract<RunRow, { is: Is }>;

export interface RowCellsProps {
  playbook: string;
  row: RunRow;
  /** Of the columns after the first. */
  cells: ShownColumns['cells'];
  onToggle: (key: string) => void;
}

export function rowCells({ playbook, row, cells, onToggle }: RowCellsProps): ReactNode[] {
  if (row.is === 'rest') return [<Rest key="rest" row={row} />];
  return [<Name key="name" playbook={playbook} row={row} onToggle={onToggle} />, ...cells(row.run)];
}

function Name({ playbook, row, onToggle }: { playbook: string; row: RowOf<'run'>; onToggle: (key: string) => void }) {
  const { run, isOpen } = row;
  return (
    <Group gap={8} wrap="nowrap" className="indented">
      {DEFINITION_FACTS[run.type].callsDefinitions === true ? (
        <button
          type="button"
          className="run-opener above-row-link"
          aria-expanded={isOpen}
          aria-label={`Runs called by ${run.name}`}
          onClick={() => onToggle(row.key)}
        >
          {isOpen ? <ChevronDown size={16} aria-hidden /> : <ChevronRight size={16} aria-hidden />}
        </button>
      ) : (
        <span className="run-opener" />
      )}
      <TypeIcon type={run.type} />
      <RowLink to="/playbooks/$playbook/runs/$runId" params={{ playbook, runId: run.run_id }} className="cell">
        {run.name}
      </RowLink>
      <Text span size="xs" c="dimmed">
        v{run.definition_version}
      </Text>
      {row.depth > 0 && <span className="visually-hidden">Called run, level {row.depth}</span>}
    </Group>
  );
}

/** What is not listed of the runs that a run called. */
function Rest({ row: { caller, called } }: { row: RowOf<'rest'> }) {
  return (
    <Group gap="sm" wrap="nowrap" className="indented run-rest">
      {called?.hasMore === true ? (
        <Button
          size="compact-sm"
          variant="default"
          loading={called.isFetching}
          aria-label={`Show more runs called by ${caller.name}`}
          onClick={called.showMore}
        >
          Show more
        </Button>
      ) : (
        <Text span size="sm" c="dimmed" role="status">
          {restWords(caller.status === 'started', called)}
        </Text>
      )}
    </Group>
  );
}

function restWords(isInProgress: boolean, called: RowOf<'rest'>['called']): string {
  if (called === undefined) return 'Loading…';
  if (called.error !== null) return `The called runs cannot be shown. ${called.error.message}`;
  return isInProgress ? 'No called runs yet.' : 'No called runs.';
}
