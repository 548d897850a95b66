import { type FocusEventHandler, type KeyboardEventHandler, useEffect, useRef, useState } from 'react';
import { isPressed } from '../../../ui/pressed-keys.ts';
import { STEP_SHORTCUTS } from './step-shortcuts.ts';

export interface CommittedTextOptions {
  /** What the value belongs to. A text that is not committed is kept for it, and not shown for others. */
  of: string;
  value: string;
  /** Whether a text can be committed; others stay in the field. */
  isFit?: (text: string) => boolean;
  onCommit: (text: string) => void;
}

export interface CommittedText {
  /** What the field shows. */
  text: string;
  write: (text: string) => void;
  /** Whether the field has the focus. */
  isWriting: boolean;
  handlers: { onFocus: () => void; onBlur: FocusEventHandler; onKeyDown: KeyboardEventHandler };
}

/**
 * The text of a field. It is committed when the field loses the focus, on Enter in a field of one line, and before a
 * shortcut saves or runs the document. Escape restores the value.
 */
export function useCommittedText({ of, value, isFit = () => true, onCommit }: CommittedTextOptions): CommittedText {
  const [written, setWritten] = useState<{ text: string; value: string; of: string }>();
  const [isWriting, setWriting] = useState(false);
  const isCurrent = written?.value === value && written.of === of;
  const text = isCurrent ? written.text : value;
  const commit = (): void => {
    if (text === value || !isFit(text)) return;
    setWritten(undefined);
    onCommit(text);
  };
  const latest = useRef(commit);
  useEffect(() => {
    latest.current = commit;
  });
  useEffect(() => {
    if (!isWriting) return;
    // On the window: before the page's listener on the document saves or runs.
    const press = ({ key, ctrlKey, metaKey }: KeyboardEvent): void => {
      if ((ctrlKey || metaKey) && (key.toLowerCase() === 's' || key === 'Enter')) latest.current();
    };
    window.addEventListener('keydown', press, { capture: true });
    return () => window.removeEventListener('keydown', press, { capture: true });
  }, [isWriting]);
  return {
    text,
    write: (next) => setWritten({ text: next, value, of }),
    isWriting,
    handlers: {
      onFocus: () => setWriting(true),
      onBlur() {
        setWriting(false);
        commit();
      },
      onKeyDown(event) {
        if (event.key === 'Enter' && event.target instanceof HTMLInputElement && !event.defaultPrevented) commit();
        if (text === value) return;
        // The field undoes what was typed in it; after that, the document undoes its last edit.
        if (isPressed(event, STEP_SHORTCUTS.undo) || isPressed(event, STEP_SHORTCUTS.redo)) event.stopPropagation();
        if (event.key !== 'Escape') return;
        event.preventDefault();
        setWritten(undefined);
      },
    },
  };
}
