import { useLocalStorage } from '@mantine/hooks';
import { useCallback } from 'react';
import { markRead, markReadUntil, type Notice, NOTHING_READ, type ReadMarks, readMarksOf } from './read-marks.ts';

export interface NoticesRead {
  marks: ReadMarks;
  read: (notice: Notice) => void;
  /** @param at ISO 8601 UTC */
  readUntil: (at: string) => void;
}

export function useNoticesRead(playbook: string): NoticesRead {
  const [marks, setMarks] = useLocalStorage<ReadMarks>({
    key: `cuebook notices read ${playbook}`,
    defaultValue: NOTHING_READ,
    getInitialValueInEffect: false,
    deserialize: readMarksOf,
  });
  return {
    marks,
    read: useCallback((notice) => setMarks((kept) => markRead(kept, notice)), [setMarks]),
    readUntil: useCallback((at) => setMarks((kept) => markReadUntil(kept, at)), [setMarks]),
  };
}
