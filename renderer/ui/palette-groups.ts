import type { SpotlightActionGroupData } from '@mantine/spotlight';
import { useEffect, useSyncExternalStore } from 'react';

let groups: readonly SpotlightActionGroupData[] = [];
const listeners = new Set<() => void>();

function setGroups(changed: readonly SpotlightActionGroupData[]): void {
  groups = changed;
  for (const one of listeners) one();
}

/** The groups of actions that other parts of the studio add to the palette. */
export function usePaletteGroups(): readonly SpotlightActionGroupData[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => groups,
  );
}

/**
 * Adds a group to the palette while the calling component is mounted.
 * @param group must be the same object between renders
 */
export function usePaletteGroup(group: SpotlightActionGroupData): void {
  useEffect(() => {
    setGroups([...groups, group]);
    return () => setGroups(groups.filter((one) => one !== group));
  }, [group]);
}
