import { useMediaQuery } from '@mantine/hooks';

/** Whether the page is as wide as a phone: as in studio.css. */
export function useIsNarrow(): boolean {
  return useWidthBelow(700);
}

/** Whether halves that stand beside each other elsewhere are tabs, since there is no room for both. */
export function useHasTabs(): boolean {
  return useWidthBelow(960);
}

function useWidthBelow(pixels: number): boolean {
  return useMediaQuery(`(max-width: ${pixels}px)`, false, { getInitialValueInEffect: false });
}
