import './editor.css';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { DefinitionType } from '../../shared/definition-types.ts';
import { useIsNarrow } from '../ui/use-narrow.ts';
import { EditorView } from './editor-view.tsx';
import { FONT, languageOf, monaco } from './monaco.ts';
import { useWordWrap } from './word-wrap.ts';

export interface TextDiffProps {
  /** The editor's language for both texts. */
  language: string;
  before: string;
  after: string;
  /** Labels of the two documents for screen readers. */
  labels?: readonly [before: string, after: string];
}

const LABELS = ['Before', 'After'] as const;

/** Two documents of a type side by side. */
export function DiffView({ type, ...texts }: Omit<TextDiffProps, 'language'> & { type: DefinitionType }) {
  return <TextDiff language={languageOf(type)} {...texts} />;
}

/** Two texts side by side, with unchanged parts collapsed. */
export function TextDiff({ language, before, after, labels = LABELS }: TextDiffProps) {
  const [isWrapped, wrap] = useWordWrap(useIsNarrow());
  const [isFull, setFull] = useState(false);
  const wraps = useRef(isWrapped);
  const shown = useRef<monaco.editor.IStandaloneDiffEditor>(undefined);
  const scheme = useComputedColorScheme('light');
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    monaco.editor.setTheme(`cuebook-${scheme}`);
    // Removed lines keep the colours of the theme in which they were drawn.
    const [box, editor] = [container.current, shown.current];
    if (box !== null && editor !== undefined) compare(box, editor, editor.getModel());
  }, [scheme]);
  useEffect(() => {
    const box = container.current;
    if (box === null) return;
    const original = monaco.editor.createModel(before, language);
    const modified = monaco.editor.createModel(after, language);
    const editor = monaco.editor.createDiffEditor(box, {
      automaticLayout: true,
      readOnly: true,
      fontFamily: FONT,
      fontSize: 13,
      lineHeight: 20,
      hideUnchangedRegions: { enabled: true },
      minimap: { enabled: false },
      renderOverviewRuler: false,
      scrollBeyondLastLine: false,
      useInlineViewWhenSpaceIsLimited: true,
      diffWordWrap: wraps.current ? 'on' : 'off',
    });
    shown.current = editor;
    editor.onDidUpdateDiff(() => {
      box.ariaBusy = null;
    });
    compare(box, editor, { original, modified });
    nameSides(editor, labels);
    return () => {
      shown.current = undefined;
      editor.dispose();
      original.dispose();
      modified.dispose();
    };
  }, [language, before, after, labels]);
  useEffect(() => {
    wraps.current = isWrapped;
    shown.current?.updateOptions({ diffWordWrap: isWrapped ? 'on' : 'off' });
    if (shown.current !== undefined) nameSides(shown.current, labels);
  }, [isWrapped, labels]);
  return (
    <div className="editor" data-full={isFull || undefined}>
      <div ref={container} className="editor-text" />
      <div className="editor-foot">
        <EditorView isWrapped={isWrapped} onWrap={wrap} isFull={isFull} onFull={setFull} />
      </div>
    </div>
  );
}

function compare(
  box: HTMLElement,
  editor: monaco.editor.IStandaloneDiffEditor,
  texts: monaco.editor.IDiffEditorModel | null,
): void {
  box.ariaBusy = 'true';
  editor.setModel(texts);
}

/** Other options of the comparison drop the labels, so they are set again after each change. */
function nameSides(editor: monaco.editor.IStandaloneDiffEditor, [before, after]: readonly [string, string]): void {
  editor.getOriginalEditor().updateOptions({ ariaLabel: before });
  editor.getModifiedEditor().updateOptions({ ariaLabel: after });
}
