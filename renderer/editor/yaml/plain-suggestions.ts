// Suggestions without placeholders, as plain texts: only with a plain text does the editor see that a suggestion is in
// the document already, and leaves Enter to the document.
import type { monaco } from '../monaco.ts';

type Suggestion = monaco.languages.CompletionItem;
type Provider = monaco.languages.CompletionItemProvider;

/** `CompletionItemInsertTextRule.InsertAsSnippet`. */
const AS_SNIPPET = 4;

/** A provider of the same suggestions, as plain texts where they are no more than that. */
export function withPlainSuggestions(provider: Provider): Provider {
  return {
    ...provider,
    async provideCompletionItems(...asked) {
      const list = await provider.provideCompletionItems(...asked);
      return list && { ...list, suggestions: list.suggestions.map(plainSuggestion) };
    },
  };
}

export function plainSuggestion(suggestion: Suggestion): Suggestion {
  const { insertText, insertTextRules = 0 } = suggestion;
  const hasPlaces = /\$/.test(insertText.replaceAll(/\\[$}\\]/g, ''));
  if ((insertTextRules & AS_SNIPPET) === 0 || hasPlaces) return suggestion;
  return {
    ...suggestion,
    insertText: insertText.replaceAll(/\\([$}\\])/g, '$1'),
    insertTextRules: insertTextRules & ~AS_SNIPPET,
  };
}
