import { monaco } from './monaco.ts';

/** Offers the playbook's definitions where a document of the model may name one. */
export function offerReferences(
  language: string,
  model: monaco.editor.ITextModel,
  references: () => readonly string[],
): monaco.IDisposable {
  return monaco.languages.registerCompletionItemProvider(language, {
    triggerCharacters: ['/', ' '],
    provideCompletionItems(asked, { lineNumber, column }) {
      if (asked !== model) return { suggestions: [] };
      const before = asked.getLineContent(lineNumber).slice(0, column - 1);
      const begun = /(?:call:|subject:|source:)\s*["']?([a-z0-9/-]*)$/.exec(before)?.[1];
      if (begun === undefined) return { suggestions: [] };
      const range = new monaco.Range(lineNumber, column - begun.length, lineNumber, column);
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
