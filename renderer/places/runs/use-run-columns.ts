import { useState } from 'react';
import { readStored, writeStored } from '../../ui/browser-storage.ts';
import { DEFAULT_RUN_COLUMNS, isRunColumn, type RunColumnId } from './run-columns.tsx';

const KEY = 'cuebook run columns';

/** The columns that were chosen in this browser, for all playbooks. */
export function useRunColumns(): [readonly RunColumnId[], (chosen: readonly RunColumnId[]) => void] {
  const [chosen, setChosen] = useState(() => storedColumns(readStored('localStorage', KEY)));
  const choose = (columns: readonly RunColumnId[]): void => {
    writeStored('localStorage', KEY, columns);
    setChosen(columns);
  };
  return [chosen, choose];
}

function storedColumns(stored: unknown): readonly RunColumnId[] {
  return Array.isArray(stored) ? stored.filter((id) => isRunColumn(id)) : DEFAULT_RUN_COLUMNS;
}
