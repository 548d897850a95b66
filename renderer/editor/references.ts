import { monaco } from './monaco.ts';

interface KnownReferences {
  /** The definitions of the playbook, as TYPE/NAME. */
  references: readonly string[];
  models: readonly string[];
}

/** Completes the references to definitions and models where a document can name one. */
export function offerReferences(
  language: string,
  model: monaco.editor.ITextModel,
  known: () => KnownReferences,
): monaco.IDisposable {
  return monaco.languages.registerCompletionItemProvider(language, {
    triggerCharacters: ['/', ' '],
    provideCompletionItems(requested, { lineNumber, column }) {
      if (requested !== model) return { suggestions: [] };
      const before = requested.getLineContent(lineNumber).slice(0, column - 1);
      const { references, models } = known();
      const places = [
        { written: /(?:call:|subject:|source:)\s*["']?([a-z0-9/-]*)$/.exec(before)?.[1], fits: references },
        { written: /^model:\s*["']?([\w./:@-]*)$/.exec(before)?.[1], fits: models },
      ];
      return {
        suggestions: places.flatMap(({ written, fits }) =>
          written === undefined
            ? []
            : fits.map((reference) => ({
                label: reference,
                kind: monaco.languages.CompletionItemKind.Function,
                insertText: reference,
                range: new monaco.Range(lineNumber, column - written.length, lineNumber, column),
              })),
        ),
      };
    },
  });
}
