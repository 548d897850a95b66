import { monaco } from './monaco.ts';

/** Completes the names of the playbook's definitions where a document can refer to one. */
export function offerReferences(
  language: string,
  model: monaco.editor.ITextModel,
  references: () => readonly string[],
): monaco.IDisposable {
  return monaco.languages.registerCompletionItemProvider(language, {
    triggerCharacters: ['/', ' '],
    provideCompletionItems(requested, { lineNumber, column }) {
      if (requested !== model) return { suggestions: [] };
      const before = requested.getLineContent(lineNumber).slice(0, column - 1);
      const prefix = /(?:call:|subject:|source:)\s*["']?([a-z0-9/-]*)$/.exec(before)?.[1];
      if (prefix === undefined) return { suggestions: [] };
      const range = new monaco.Range(lineNumber, column - prefix.length, lineNumber, column);
      return {
        suggestions: references().map((reference) => ({
          label: reference,
          kind: monaco.languages.CompletionItemKind.Function,
          insertText: reference,
          range,
        })),
      };
    },
  });
}
