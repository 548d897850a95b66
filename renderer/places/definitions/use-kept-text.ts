import { type RefObject, useEffect, useRef } from 'react';
import type { KeptText } from '../../editor/code-editor.tsx';

/** Keeps the text of an editor and its history while the page shows another tab. */
export function useKeptText(): RefObject<KeptText | null> {
  const kept = useRef<KeptText>(null);
  useEffect(
    () => () => {
      kept.current?.model.dispose();
      kept.current = null;
    },
    [],
  );
  return kept;
}
