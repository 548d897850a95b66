import './runs.css';
import { hashKey, type QueryKey } from '@tanstack/react-query';
import { type ReactNode, useCallback, useMemo } from 'react';
import type { EventRecord, RunListEntry } from '../../../shared/api/index.ts';
import { useNewEntries } from '../../ui/use-new-entries.ts';
import { LiveList } from '../../ui/live-list.tsx';
import { rowCells } from './row-cells.tsx';
import type { ShownColumns } from './run-columns.tsx';
import { type RunRow, runRows } from './run-rows.ts';
import { SelectionBar } from './selection/selection-bar.tsx';
import { listedRuns, useSelectedRuns } from './selection/use-selected-runs.ts';
import { useCalledRuns } from './use-called-runs.tsx';

export interface RunsListProps {
  playbook: string;
  queryKey: QueryKey;
  /** All runs that are loaded; some of them may not be shown. */
  loaded: readonly RunListEntry[];
  shown: readonly RunListEntry[];
  shownAs: ShownColumns;
  /** Whether an event adds a run to the list. */
  isNewEntry: (event: EventRecord) => boolean;
  hasMore: boolean;
  onEnd: () => void;
  /** Below the list. */
  children: ReactNode;
}

/** The runs, those that they called below them, and what can be done with those that are selected. */
export function RunsList(props: RunsListProps) {
  const { playbook, queryKey, loaded, shown, shownAs, isNewEntry, hasMore, onEnd, children } = props;
  const list = hashKey(queryKey);
  const { opened, toggle, called, readers } = useCalledRuns(playbook, list);
  const rows = useMemo(() => runRows(shown, opened, called), [shown, opened, called]);
  const { ids, select, selection } = useSelectedRuns(list);
  const listed = useMemo(() => listedRuns(rows), [rows]);
  const selected = listed.filter(({ run_id: id }) => ids.has(id));
  const entering = useNewEntries(
    queryKey,
    () => loaded.map(({ run_id }) => run_id),
    (event) => (isNewEntry(event) ? event.metadata.run_id : undefined),
    selected.length > 0,
  );
  const cells = useCallback(
    (row: RunRow) => rowCells({ playbook, row, cells: shownAs.cells, onToggle: toggle }),
    [playbook, shownAs, toggle],
  );
  return (
    <>
      {readers}
      {rows.length > 0 && (
        <LiveList<RunRow>
          key={entering.list}
          label="Runs"
          columns={shownAs.columns}
          items={rows}
          keyOf={({ key }) => key}
          depthOf={({ depth }) => depth}
          cells={cells}
          selection={selection}
          paging={{ ...entering, hasMore, onEnd }}
        />
      )}
      {children}
      <SelectionBar
        // Apart from the key of the list beside it.
        key={`selection ${list}`}
        playbook={playbook}
        runs={selected}
        onSelectAll={
          selected.length < listed.length ? () => select(new Set(listed.map(({ run_id: id }) => id))) : undefined
        }
        onDeselect={(runIds) => select(new Set([...ids].filter((id) => !runIds.includes(id))))}
      />
    </>
  );
}
