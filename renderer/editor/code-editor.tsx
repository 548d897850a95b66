import './editor.css';
import { Kbd, useComputedColorScheme } from '@mantine/core';
import {
  type KeyboardEvent as ReactKeyboardEvent,
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import type { DefinitionType } from '../../shared/definition-types.ts';
import type { SourceIssue } from '../../shared/issues.ts';
import { type EditorHandle, handleOf, PAGE } from './editor-handle.ts';
import { EditorView } from './editor-view.tsx';
import { keyCapsOf, type Shortcut, SHORTCUTS } from '../ui/shortcuts.ts';
import { keyForEditor } from './keys-after-escape.ts';
import { declareNames, FONT, languageOf, modelUri, monaco } from './monaco.ts';
import { offerQuickFixes } from './quick-fixes.ts';
import { offerReferences } from './references.ts';
import { useWordWrap } from './word-wrap.ts';
import { offerYaml } from './yaml/languages.ts';

offerYaml();
offerQuickFixes();

/** The initial text of an editor. A new object replaces the text in the editor. */
export interface Origin {
  text: string;
  /** The replacement can be undone. Otherwise the history starts again. */
  isEdit?: boolean;
}

/** What an editor leaves for the next one of the same document: the text with its history, and where the cursor was. */
export interface KeptText {
  model: monaco.editor.ITextModel;
  view: monaco.editor.ICodeEditorViewState | null;
}

export interface CodeEditorProps {
  ref?: Ref<EditorHandle>;
  type: DefinitionType;
  origin: Origin;
  /** Filled by the editor. The owner disposes of the model. */
  kept?: RefObject<KeptText | null> | undefined;
  label: string;
  readOnly?: boolean;
  issues: readonly SourceIssue[];
  warnings: readonly SourceIssue[];
  /** The definitions that the document can refer to, as TYPE/NAME. */
  references: readonly string[];
  /** The references of models that the document can name. */
  models: readonly string[];
  /** TypeScript declarations of the names that a program can use; undefined if they are not known. */
  declarations?: string | undefined;
  /** A line to scroll to. A new object scrolls again. */
  reveal?: { line: number } | undefined;
  onChange: (value: string) => void;
  /** Called when a person or a change moves the cursor. */
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

/** The editor leaves Enter to the text only in lists that opened while somebody typed. */
const CHOOSES_SUGGESTION =
  'textInputFocus && suggestWidgetVisible && suggestWidgetHasFocusedSuggestion && suggestionMakesTextEdit';

const OPTIONS: monaco.editor.IStandaloneEditorConstructionOptions = {
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
  // A suggestion that is in the text already leaves Enter to the text.
  acceptSuggestionOnEnter: 'smart',
  accessibilitySupport: 'auto',
};

export function CodeEditor(props: CodeEditorProps) {
  const { ref, type, origin, label, readOnly = false, issues, warnings, declarations, reveal } = props;
  const scheme = useComputedColorScheme('light');
  const container = useRef<HTMLDivElement>(null);
  const foot = useRef<HTMLDivElement>(null);
  const editor = useRef<monaco.editor.IStandaloneCodeEditor>(undefined);
  const [isWrapped, wrap] = useWordWrap(false);
  const [isFull, setFull] = useState(false);
  /** The page replaces the text, and knows it. */
  const isReplacing = useRef(false);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });

  useEffect(() => {
    if (container.current === null) return;
    const { origin: begun, kept } = latest.current;
    const { model, view } = kept?.current ?? {
      model: monaco.editor.createModel(begun.text, languageOf(type), modelUri(type)),
      view: null,
    };
    if (kept !== undefined) kept.current = { model, view };
    show(model, begun);
    const made = monaco.editor.create(container.current, {
      model,
      ariaLabel: latest.current.label,
      ...OPTIONS,
    });
    editor.current = made;
    made.restoreViewState(view);
    const listeners = [
      // React does not count the events of typing in the editor as urgent: without
      // flushing, Ctrl+S right after a key could save the text without it.
      model.onDidChangeContent(() => {
        if (!isReplacing.current) flushSync(() => latest.current.onChange(model.getValue()));
      }),
      made.onDidChangeCursorPosition(({ position, source }) => {
        if (source !== PAGE) latest.current.onLine?.(position.lineNumber);
      }),
      keepFocusOnHoverActions(container.current),
      offerReferences(languageOf(type), model, () => latest.current),
    ];
    made.addCommand(monaco.KeyCode.Enter, () => acceptOrBreakLine(made), CHOOSES_SUGGESTION);
    made.addCommand(monaco.KeyCode.Escape, () => foot.current?.focus(), NOTHING_TO_CLOSE);
    return () => {
      for (const one of listeners) one.dispose();
      if (kept !== undefined && !model.isDisposed()) kept.current = { model, view: made.saveViewState() };
      made.dispose();
      if (kept === undefined) model.dispose();
      editor.current = undefined;
    };
  }, [type]);

  // A layout effect, so that the text is replaced before the next key.
  useLayoutEffect(() => {
    const model = editor.current?.getModel();
    if (model == null) return;
    const caret = editor.current?.saveViewState() ?? null;
    isReplacing.current = true;
    show(model, origin);
    isReplacing.current = false;
    editor.current?.restoreViewState(caret);
  }, [origin]);
  useEffect(() => editor.current?.updateOptions({ readOnly, ariaLabel: label }), [readOnly, label]);
  useEffect(() => editor.current?.updateOptions({ wordWrap: isWrapped ? 'on' : 'off' }), [isWrapped, type]);
  useEffect(() => monaco.editor.setTheme(`cuebook-${scheme}`), [scheme]);
  useEffect(() => declareNames(declarations), [declarations]);
  useEffect(() => {
    const model = editor.current?.getModel();
    if (model != null) showMarkers(model, issues, warnings);
  }, [issues, warnings]);
  useEffect(() => {
    if (reveal !== undefined && editor.current !== undefined) goToLine(editor.current, reveal.line);
  }, [reveal]);

  useImperativeHandle(ref, () => handleOf(() => editor.current), []);

  return (
    <div className="editor" data-full={isFull || undefined}>
      <div ref={container} className="editor-text" />
      <div
        ref={foot}
        className="editor-foot"
        role="group"
        aria-label="Editor shortcuts"
        tabIndex={-1}
        onKeyDown={(event) => {
          if (event.target === foot.current) passToEditor(event, editor.current);
        }}
      >
        <EditorKey of={SHORTCUTS.leaveEditor}>leave the editor</EditorKey>
        <EditorKey of={SHORTCUTS.complete}>complete</EditorKey>
        {!readOnly && <EditorKey of={SHORTCUTS.save}>save</EditorKey>}
        <EditorKey of={SHORTCUTS.run}>run</EditorKey>
        <EditorView isWrapped={isWrapped} onWrap={wrap} isFull={isFull} onFull={setFull} />
      </div>
    </div>
  );
}

/**
 * An action below a hover text, such as Quick Fix, would take the focus. When the hover closes, the editor gets it back,
 * and the menu that the action opened closes at once.
 */
function keepFocusOnHoverActions(container: HTMLElement): monaco.IDisposable {
  const prevent = (event: MouseEvent): void => {
    if (event.target instanceof Element && event.target.closest('.monaco-hover .action-container') !== null)
      event.preventDefault();
  };
  container.addEventListener('mousedown', prevent, true);
  return { dispose: () => container.removeEventListener('mousedown', prevent, true) };
}

/** Replaces the whole text if it is another one. */
function show(model: monaco.editor.ITextModel, { text, isEdit = false }: Origin): void {
  if (model.getValue() === text) return;
  if (!isEdit) {
    model.setValue(text);
    return;
  }
  model.pushStackElement();
  model.pushEditOperations(null, [{ range: model.getFullModelRange(), text }], () => null);
  model.pushStackElement();
}

/** What is typed after Escape belongs to the document. */
function passToEditor(event: ReactKeyboardEvent, editor: monaco.editor.IStandaloneCodeEditor | undefined): void {
  const key = keyForEditor(event);
  if (key === undefined || editor === undefined) return;
  editor.focus();
  if (key === 'text') return;
  event.preventDefault();
  editor.trigger('keyboard', key.command, key.payload);
}

/** Enter is a line break where the text of the suggestion is there already. */
function acceptOrBreakLine(editor: monaco.editor.IStandaloneCodeEditor): void {
  const text = editor.getValue();
  editor.trigger('keyboard', 'acceptSelectedSuggestion', null);
  if (editor.getValue() === text) editor.trigger('keyboard', 'type', { text: '\n' });
}

function EditorKey({ of: [shown], children }: { of: Shortcut; children: string }) {
  return (
    <span className="editor-key">
      {keyCapsOf(shown).map((key) => (
        <Kbd key={key} size="xs">
          {key}
        </Kbd>
      ))}{' '}
      {children}
    </span>
  );
}

function goToLine(editor: monaco.editor.IStandaloneCodeEditor, line: number): void {
  editor.revealLineInCenterIfOutsideViewport(line);
  editor.setPosition({ lineNumber: line, column: 1 });
  editor.focus();
}

function showMarkers(
  model: monaco.editor.ITextModel,
  issues: readonly SourceIssue[],
  warnings: readonly SourceIssue[],
): void {
  monaco.editor.setModelMarkers(model, 'cuebook', [
    ...issues.map((issue) => marker(model, issue, monaco.MarkerSeverity.Error)),
    ...warnings.map((issue) => marker(model, issue, monaco.MarkerSeverity.Warning)),
  ]);
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
