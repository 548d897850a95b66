// The types of files that Vite turns into modules.
declare module 'monaco-editor/editor/editor.worker.js?worker' {
  const EditorWorker: new () => Worker;
  export default EditorWorker;
}
declare module '*/program-worker.ts?worker' {
  const ProgramWorker: new () => Worker;
  export default ProgramWorker;
}
// The parts of the editor's TypeScript worker that the studio uses. The package has no types for them.
declare module 'monaco-editor/languages/features/typescript/ts.worker.js' {
  export interface Span {
    start: number;
    length: number;
  }
  export interface Completions {
    entries: { replacementSpan?: Span }[];
  }
  export interface QuickInfo {
    textSpan: Span;
  }
  export class TypeScriptWorker {
    constructor(context: unknown, created: unknown);
    getScriptFileNames(): string[];
    getScriptVersion(name: string): string;
    _getScriptText(name: string): string | undefined;
    getCompletionsAtPosition(name: string, offset: number): Promise<Completions | undefined>;
    getCompletionEntryDetails(name: string, offset: number, entry: string): Promise<unknown>;
    getSignatureHelpItems(name: string, offset: number, options: unknown): Promise<unknown>;
    getQuickInfoAtPosition(name: string, offset: number): Promise<QuickInfo | undefined>;
  }
  export function initialize(make: (context: unknown, created: unknown) => TypeScriptWorker): void;
  export const ts: { typescript: unknown };
}
declare module 'monaco-yaml/yaml.worker.js?worker' {
  const YamlWorker: new () => Worker;
  export default YamlWorker;
}
declare module '*.yaml' {
  const value: unknown;
  export default value;
}
