import type { RefObject } from 'react';
import { useKeys } from '../../ui/keyboard.ts';

/** `j` and `k` go through the links of a tree. */
export function useLeafKeys(tree: RefObject<HTMLElement | null>): void {
  const move = (step: number) => (): void => {
    const leaves = [...(tree.current?.querySelectorAll<HTMLElement>('.leaf') ?? [])];
    const active = tree.current?.querySelector<HTMLElement>('.leaf[data-status="active"]');
    const from = leaves.findIndex((leaf) => leaf === document.activeElement);
    const at = from === -1 ? leaves.findIndex((leaf) => leaf === active) : from;
    leaves[at === -1 ? 0 : Math.min(leaves.length - 1, Math.max(0, at + step))]?.focus();
  };
  useKeys({ j: move(1), k: move(-1) });
}
