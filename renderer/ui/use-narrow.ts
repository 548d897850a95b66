import { useMediaQuery } from '@mantine/hooks';

/** True on a page as narrow as a phone. The style sheets use the same width. */
export function useIsNarrow(): boolean {
  return useWidthBelow(700);
}

/** True where there is no room for two panels side by side: they become tabs. */
export function useHasTabs(): boolean {
  return useWidthBelow(960);
}

function useWidthBelow(pixels: number): boolean {
  return useMediaQuery(`(max-width: ${pixels}px)`, false, { getInitialValueInEffect: false });
}
