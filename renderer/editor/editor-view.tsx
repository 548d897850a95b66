import { Maximize2, Minimize2, WrapText } from 'lucide-react';

export interface EditorViewProps {
  isWrapped: boolean;
  onWrap: (isWrapped: boolean) => void;
  /** Whether the text fills the window. */
  isFull: boolean;
  onFull: (isFull: boolean) => void;
}

/** The buttons below a text that change how it is shown. */
export function EditorView({ isWrapped, onWrap, isFull, onFull }: EditorViewProps) {
  const Size = isFull ? Minimize2 : Maximize2;
  return (
    <span className="editor-view">
      <button type="button" aria-pressed={isWrapped} title="Wrap long lines" onClick={() => onWrap(!isWrapped)}>
        <WrapText size={14} aria-hidden /> Wrap
      </button>
      <button type="button" aria-pressed={isFull} title="Fill the window" onClick={() => onFull(!isFull)}>
        <Size size={14} aria-hidden /> Full height
      </button>
    </span>
  );
}
