import { useMemo, useState } from 'react';
import type { RunListEntry } from '../../../../shared/api/index.ts';
import { useMayCall } from '../../../api/session/use-session.ts';
import type { RowSelection } from '../../../ui/live-list.tsx';
import type { RunRow } from '../run-rows.ts';

const NONE: ReadonlySet<string> = new Set();

export interface SelectedRuns {
  /** The ids of the selected runs, whether they are still listed or not. */
  ids: ReadonlySet<string>;
  select: (ids: ReadonlySet<string>) => void;
  /** For the list; undefined if the caller may do nothing with the runs. */
  selection: RowSelection<RunRow> | undefined;
}

/** The selected runs of a list. A list with other filters has none. */
export function useSelectedRuns(list: string): SelectedRuns {
  const [state, setState] = useState({ list, ids: NONE });
  const ids = state.list === list ? state.ids : NONE;
  const mayCancel = useMayCall('cancel_run');
  const mayRun = useMayCall('run_definition');
  const isOffered = mayCancel || mayRun;
  return useMemo(() => {
    const select = (next: ReadonlySet<string>): void => setState({ list, ids: next });
    const selection: RowSelection<RunRow> = {
      selected: ids,
      idOf: (row) => (row.is === 'run' ? row.run.run_id : undefined),
      labelOf: (row) => (row.is === 'run' ? `Select ${row.run.name}` : ''),
      onChange: select,
    };
    return { ids, select, selection: isOffered ? selection : undefined };
  }, [ids, list, isOffered]);
}

/** The runs that are listed, each once, in the order of the list. */
export function listedRuns(rows: readonly RunRow[]): RunListEntry[] {
  const runs = new Map(rows.flatMap((row) => (row.is === 'run' ? [[row.run.run_id, row.run] as const] : [])));
  return [...runs.values()];
}
