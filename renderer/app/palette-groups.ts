import type { SpotlightActionGroupData } from '@mantine/spotlight';
import { useEffect, useSyncExternalStore } from 'react';

let groups: readonly SpotlightActionGroupData[] = [];
const listeners = new Set<() => void>();

function change(now: readonly SpotlightActionGroupData[]): void {
  groups = now;
  for (const one of listeners) one();
}

/** What other parts of the studio put into the palette. */
export function usePaletteGroups(): readonly SpotlightActionGroupData[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => groups,
  );
}

/** Puts a group into the palette while the caller is shown. @param group the same object while nothing changes */
export function useInPalette(group: SpotlightActionGroupData): void {
  useEffect(() => {
    change([...groups, group]);
    return () => change(groups.filter((one) => one !== group));
  }, [group]);
}
