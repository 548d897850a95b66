import { useEffect, useRef } from 'react';

/** Calls `does` on Ctrl-Enter, or Cmd-Enter, from anywhere on the page but a dialog; the editor does not hear it. */
export function useEnterKey(does: () => void): void {
  const latest = useRef(does);
  useEffect(() => {
    latest.current = does;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      if (event.target instanceof HTMLElement && event.target.closest('[role="dialog"]') !== null) return;
      event.preventDefault();
      event.stopPropagation();
      // Held down, it is one press.
      if (!event.repeat) latest.current();
    };
    document.addEventListener('keydown', press, { capture: true });
    return () => document.removeEventListener('keydown', press, { capture: true });
  }, []);
}
