import './editor.css';
import { Kbd, useComputedColorScheme } from '@mantine/core';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import type { DefinitionType } from '../../shared/definition-types.ts';
import type { SourceIssue } from '../../shared/issues.ts';
import { declareNames, FONT, languageOf, modelUri, monaco } from './monaco.ts';
import { offerQuickFixes } from './quick-fixes.ts';
import { offerReferences } from './references.ts';
import { offerYaml } from './yaml/languages.ts';

offerYaml();
offerQuickFixes();

export interface CodeEditorProps {
  type: DefinitionType;
  /** The initial text. A new object replaces the text in the editor. */
  origin: { text: string };
  label: string;
  readOnly?: boolean;
  issues: readonly SourceIssue[];
  warnings: readonly SourceIssue[];
  /** The definitions that the document can refer to, as TYPE/NAME. */
  references: readonly string[];
  /** TypeScript declarations of the names that a program can use; undefined if they are not known. */
  declarations?: string | undefined;
  /** A line to scroll to. A new object scrolls again. */
  reveal?: { line: number } | undefined;
  /** The label of the Ctrl-Enter shortcut. */
  enter: string;
  onChange: (value: string) => void;
  onLine?: (line: number) => void;
}

/** Escape first closes widgets that are open in the editor. */
const NOTHING_TO_CLOSE = [
  'suggestWidgetVisible',
  'parameterHintsVisible',
  'findWidgetVisible',
  'markersNavigationVisible',
  'renameInputVisible',
  'inSnippetMode',
  'editorHasMultipleSelections',
]
  .map((one) => `!${one}`)
  .join(' && ');

export function CodeEditor(props: CodeEditorProps) {
  const { type, origin, label, readOnly = false, issues, warnings, declarations, reveal, enter } = props;
  const scheme = useComputedColorScheme('light');
  const container = useRef<HTMLDivElement>(null);
  const foot = useRef<HTMLDivElement>(null);
  const editor = useRef<monaco.editor.IStandaloneCodeEditor>(undefined);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });

  useEffect(() => {
    if (container.current === null) return;
    const model = monaco.editor.createModel(latest.current.origin.text, languageOf(type), modelUri(type));
    const made = monaco.editor.create(container.current, {
      model,
      ariaLabel: latest.current.label,
      automaticLayout: true,
      fixedOverflowWidgets: true,
      fontFamily: FONT,
      fontSize: 13,
      lineHeight: 20,
      lineNumbersMinChars: 3,
      minimap: { enabled: false },
      padding: { top: 10, bottom: 10 },
      scrollBeyondLastLine: false,
      smoothScrolling: false,
      stickyScroll: { enabled: false },
      tabSize: 2,
      renderLineHighlight: 'line',
      overviewRulerBorder: false,
      overviewRulerLanes: 0,
      hideCursorInOverviewRuler: true,
      // Arbitrary words of the text would hide the real suggestions.
      wordBasedSuggestions: 'off',
      accessibilitySupport: 'auto',
    });
    editor.current = made;
    const listeners = [
      // A flush is a new `origin`, not an edit. React does not count the events of typing in the editor as urgent: without
      // flushing, Ctrl+S right after a key could save the text without it.
      model.onDidChangeContent(({ isFlush }) => {
        if (!isFlush) flushSync(() => latest.current.onChange(model.getValue()));
      }),
      made.onDidChangeCursorPosition(({ position }) => latest.current.onLine?.(position.lineNumber)),
      offerReferences(languageOf(type), model, () => latest.current.references),
    ];
    made.addCommand(monaco.KeyCode.Escape, () => foot.current?.focus(), NOTHING_TO_CLOSE);
    return () => {
      for (const one of listeners) one.dispose();
      made.dispose();
      model.dispose();
      editor.current = undefined;
    };
  }, [type]);

  // A layout effect, so that the text is replaced before the next key.
  useLayoutEffect(() => {
    const model = editor.current?.getModel();
    if (model == null || model.getValue() === origin.text) return;
    const caret = editor.current?.saveViewState() ?? null;
    model.setValue(origin.text);
    editor.current?.restoreViewState(caret);
  }, [origin]);
  useEffect(() => editor.current?.updateOptions({ readOnly, ariaLabel: label }), [readOnly, label]);
  useEffect(() => monaco.editor.setTheme(`cuebook-${scheme}`), [scheme]);
  useEffect(() => declareNames(declarations), [declarations]);
  useEffect(() => {
    const model = editor.current?.getModel();
    if (model == null) return;
    monaco.editor.setModelMarkers(model, 'cuebook', [
      ...issues.map((issue) => marker(model, issue, monaco.MarkerSeverity.Error)),
      ...warnings.map((issue) => marker(model, issue, monaco.MarkerSeverity.Warning)),
    ]);
  }, [issues, warnings]);
  useEffect(() => {
    if (reveal === undefined || editor.current === undefined) return;
    editor.current.revealLineInCenterIfOutsideViewport(reveal.line);
    editor.current.setPosition({ lineNumber: reveal.line, column: 1 });
    editor.current.focus();
  }, [reveal]);

  return (
    <div className="editor">
      <div ref={container} className="editor-text" />
      <div ref={foot} className="editor-foot" role="group" aria-label="Editor shortcuts" tabIndex={-1}>
        <EditorKey keys={['Esc']}>leave the editor, then Tab</EditorKey>
        <EditorKey keys={['Ctrl', 'Space']}>complete</EditorKey>
        {!readOnly && <EditorKey keys={['Ctrl', 'S']}>save</EditorKey>}
        <EditorKey keys={['Ctrl', '⏎']}>{enter}</EditorKey>
      </div>
    </div>
  );
}

function EditorKey({ keys, children }: { keys: readonly string[]; children: string }) {
  return (
    <span className="editor-key">
      {keys.map((key) => (
        <Kbd key={key} size="xs">
          {key}
        </Kbd>
      ))}{' '}
      {children}
    </span>
  );
}

/** An issue has only a start position. The marker extends to the end of the word or the line. */
function marker(
  model: monaco.editor.ITextModel,
  { line, column, detail }: SourceIssue,
  severity: monaco.MarkerSeverity,
): monaco.editor.IMarkerData {
  const lineNumber = Math.min(line, model.getLineCount());
  const word = model.getWordAtPosition({ lineNumber, column });
  const end = word?.endColumn ?? model.getLineMaxColumn(lineNumber);
  return {
    severity,
    message: detail,
    startLineNumber: lineNumber,
    endLineNumber: lineNumber,
    startColumn: Math.min(column, model.getLineMaxColumn(lineNumber)),
    endColumn: Math.max(end, column + 1),
  };
}
