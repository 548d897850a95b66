// The Monaco editor with the three languages of documents. Loaded only on pages that show a document.
import 'monaco-editor/features/register.all.js';
import 'monaco-editor/languages/definitions/markdown/register.js';
import 'monaco-editor/languages/definitions/typescript/register.js';
import 'monaco-editor/languages/definitions/yaml/register.js';
import * as monaco from 'monaco-editor/editor/editor.api.js';
import { ScriptTarget, typescriptDefaults } from 'monaco-editor/languages/features/typescript/register.js';
import { DEFINITION_FACTS, type DefinitionType, formatOf } from '../../shared/definition-types.ts';

self.MonacoEnvironment = {
  getWorker: (_name: string, label: string) =>
    label === 'typescript'
      ? new Worker(new URL('./programs/program-worker.ts', import.meta.url), { type: 'module' })
      : new Worker(new URL('monaco-editor/editor/editor.worker.js', import.meta.url), { type: 'module' }),
};

/** The names that a program can use, until the service has provided exact declarations. */
const UNTYPED_DECLARATIONS = `
declare type Input = any;
declare type Output = any;
declare type State = any;
declare type PlaybookEvent = any;
declare const console: { log(...values: unknown[]): void };
`;

/** Declares the names that the program in the editor can use. */
export function declareNames(declarations: string = UNTYPED_DECLARATIONS): void {
  typescriptDefaults.addExtraLib(declarations, 'file:///cuebook.d.ts');
}

// The editor provides completion. The service, which knows the sandbox, provides the errors.
typescriptDefaults.setDiagnosticsOptions({
  noSemanticValidation: true,
  noSyntaxValidation: true,
  noSuggestionDiagnostics: true,
});
typescriptDefaults.setCompilerOptions({ target: ScriptTarget.ESNext, lib: ['es2023'], allowNonTsExtensions: true });
declareNames();

export const FONT =
  'ui-monospace, "SF Mono", "Cascadia Code", "JetBrains Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace';

monaco.editor.defineTheme('cuebook-light', {
  base: 'vs',
  inherit: true,
  rules: [
    { token: 'comment', foreground: '4a5a4a' },
    // Dark enough on the current line and on changed lines, too.
    { token: 'type', foreground: '006b6b' },
    { token: 'number', foreground: '07704a' },
  ],
  colors: {
    'editor.background': '#ffffff',
    'editorLineNumber.foreground': '#667085',
    'editorLineNumber.dimmedForeground': '#667085',
    'editorGutter.background': '#ffffff',
    'diffEditor.insertedTextBackground': '#b6e3c880',
    'diffEditor.insertedLineBackground': '#e6f6ec80',
    'diffEditor.removedTextBackground': '#ffc4cb80',
    'diffEditor.removedLineBackground': '#fdecee80',
    'editor.lineHighlightBackground': '#f6f7fb',
    'editor.lineHighlightBorder': '#00000000',
    'editorWidget.background': '#f6f7fb',
    'editorWidget.border': '#e4e7ef',
    'list.hoverBackground': '#eef0f7',
  },
});
monaco.editor.defineTheme('cuebook-dark', {
  base: 'vs-dark',
  inherit: true,
  rules: [{ token: 'comment', foreground: 'a3c49a' }],
  colors: {
    'editor.background': '#11141d',
    'editorLineNumber.foreground': '#78829a',
    'editorLineNumber.dimmedForeground': '#78829a',
    'editorGutter.background': '#11141d',
    'diffEditor.insertedTextBackground': '#1d5c4166',
    'diffEditor.insertedLineBackground': '#1a3a2d66',
    'diffEditor.removedTextBackground': '#6b253566',
    'diffEditor.removedLineBackground': '#3d1d2666',
    'editor.lineHighlightBackground': '#171b26',
    'editor.lineHighlightBorder': '#00000000',
    'editorStickyScroll.background': '#11141d',
    'editorWidget.background': '#171b26',
    'editorWidget.border': '#262d3d',
    'input.background': '#11141d',
    'list.hoverBackground': '#1d2331',
    'diffEditor.unchangedRegionBackground': '#171b26',
  },
});

/** The editor's language for the documents of a type. */
export function languageOf(type: DefinitionType): 'markdown' | 'typescript' | 'yaml' {
  return DEFINITION_FACTS[type].language;
}

let models = 0;

/** A new address for a document in the editor. Completion reads the type of the document from its suffix. */
export function modelUri(type: DefinitionType): monaco.Uri {
  models += 1;
  return monaco.Uri.parse(`file:///${models}/document${formatOf(type).fileSuffix}`);
}

export { monaco };
