// What Vite makes of files that are no modules.
declare module 'monaco-editor/editor/editor.worker.js?worker' {
  const EditorWorker: new () => Worker;
  export default EditorWorker;
}
declare module '*/program-worker.ts?worker' {
  const ProgramWorker: new () => Worker;
  export default ProgramWorker;
}
// The editor's TypeScript, which comes without types; what of it the studio builds on.
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
