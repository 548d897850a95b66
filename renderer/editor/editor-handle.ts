// How a page changes the text of an editor, beside the person who types in it.
import { monaco } from './monaco.ts';
import type { TextChange } from './workflow-edits/index.ts';

/** What the page does with the editor. None of it moves the focus. */
export interface EditorHandle {
  /** The text to which offsets refer. Its line ends may differ from those of `origin`. */
  read: () => string;
  /** Applies changes, which are undone together. */
  edit: (changes: readonly TextChange[]) => void;
  /** Undoes or repeats the last change, wherever it was made, and returns where the text is now different, if there was one. */
  undo: () => TextRange | undefined;
  redo: () => TextRange | undefined;
  /** Puts the cursor at an offset, and scrolls there if it is out of view. `onLine` is not called. */
  select: (offset: number) => void;
}

/** Offsets in UTF-16 code units, from 0. */
export interface TextRange {
  from: number;
  to: number;
}

/** The source of cursor positions that the page set. */
export const PAGE = 'page';

export function handleOf(current: () => monaco.editor.IStandaloneCodeEditor | undefined): EditorHandle {
  const model = (): monaco.editor.ITextModel | null => current()?.getModel() ?? null;
  return {
    read: () => model()?.getValue() ?? '',
    edit(changes) {
      const text = model();
      if (text === null) return;
      current()?.pushUndoStop();
      current()?.executeEdits(
        PAGE,
        changes.map(({ from, to, insert }) => ({
          range: monaco.Range.fromPositions(text.getPositionAt(from), text.getPositionAt(to)),
          text: insert,
          forceMoveMarkers: true,
        })),
      );
      current()?.pushUndoStop();
    },
    undo: () => changedBy(model(), (text) => text.undo()),
    redo: () => changedBy(model(), (text) => text.redo()),
    select(offset) {
      const position = model()?.getPositionAt(offset);
      if (position === undefined) return;
      current()?.setPosition(position, PAGE);
      current()?.revealLineInCenterIfOutsideViewport(position.lineNumber);
    },
  };
}

/** Where `change` has written text or, if it has only removed some, where that was; undefined if it has changed nothing. */
function changedBy(
  model: monaco.editor.ITextModel | null,
  change: (model: monaco.editor.ITextModel) => void,
): TextRange | undefined {
  let range: TextRange | undefined;
  const listener = model?.onDidChangeContent(({ changes }) => {
    const shown = changes.find(({ text }) => text !== '') ?? changes[0];
    if (shown === undefined) return;
    const from = changes
      .filter(({ rangeOffset }) => rangeOffset < shown.rangeOffset)
      .reduce((offset, { text, rangeLength }) => offset + text.length - rangeLength, shown.rangeOffset);
    range = { from, to: from + shown.text.length };
  });
  if (model !== null) change(model);
  listener?.dispose();
  return range;
}
