import { useEffect, useRef } from 'react';

/**
 * Calls `does` on Ctrl or Cmd with a key, wherever the focus is; neither the editor nor the browser gets the key. Enter
 * belongs to a dialog that is open; `s` never does, since the browser would save its page.
 */
export function useCommandKey(key: 'Enter' | 's', does: () => void): void {
  const latest = useRef(does);
  useEffect(() => {
    latest.current = does;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== key.toLowerCase()) return;
      const isInDialog = event.target instanceof HTMLElement && event.target.closest('[role="dialog"]') !== null;
      if (key === 'Enter' && isInDialog) return;
      event.preventDefault();
      event.stopPropagation();
      // Held down, it is one press.
      if (!event.repeat) latest.current();
    };
    document.addEventListener('keydown', press, { capture: true });
    return () => document.removeEventListener('keydown', press, { capture: true });
  }, [key]);
}
