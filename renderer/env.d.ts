// What Vite makes of files that are no modules.
declare module 'monaco-editor/editor/editor.worker.js?worker' {
  const EditorWorker: new () => Worker;
  export default EditorWorker;
}
declare module 'monaco-editor/languages/features/typescript/ts.worker.js?worker' {
  const TypeScriptWorker: new () => Worker;
  export default TypeScriptWorker;
}
declare module 'monaco-yaml/yaml.worker.js?worker' {
  const YamlWorker: new () => Worker;
  export default YamlWorker;
}
declare module '*.yaml' {
  const value: unknown;
  export default value;
}
