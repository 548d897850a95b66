import { monaco } from '../monaco.ts';

/** The providers of completion and hover in YAML. */
export interface YamlProviders {
  completion?: monaco.languages.CompletionItemProvider;
  hover?: monaco.languages.HoverProvider;
}

/** Requests so far. */
let asked = 0;

const FENCE = /^---[ \t]*$/;

/**
 * Provides completion and hover in the front matter of Markdown, with the YAML providers and a hidden YAML document.
 */
export function offerFrontMatter({ completion, hover }: YamlProviders): void {
  if (completion !== undefined) {
    monaco.languages.registerCompletionItemProvider('markdown', {
      triggerCharacters: [' ', ':'],
      provideCompletionItems: (model, position, context, token) =>
        inFrontMatter(model, position, (yaml) => completion.provideCompletionItems(yaml, position, context, token)),
    });
  }
  if (hover !== undefined) {
    monaco.languages.registerHoverProvider('markdown', {
      provideHover: (model, position, token) =>
        inFrontMatter(model, position, (yaml) => hover.provideHover(yaml, position, token)),
    });
  }
}

async function inFrontMatter<Result>(
  model: monaco.editor.ITextModel,
  { lineNumber }: monaco.Position,
  provide: (yaml: monaco.editor.ITextModel) => monaco.languages.ProviderResult<Result>,
): Promise<Result | null | undefined> {
  const lines = model.getLinesContent();
  const end = lines.findIndex((line, index) => index > 0 && FENCE.test(line));
  if (!FENCE.test(lines[0] ?? '') || lineNumber === 1 || (end !== -1 && lineNumber > end)) return undefined;
  asked += 1;
  // Each request has a document of its own: the next key asks before this one is answered. An empty line replaces the first fence, so that positions are the same in both documents.
  const yaml = monaco.editor.createModel(
    ['', ...lines.slice(1, end === -1 ? lines.length : end), ''].join('\n'),
    'yaml',
    model.uri.with({ path: model.uri.path.replace(/([^/]*)\.md$/, `${asked}/$1.yaml`) }),
  );
  try {
    return await provide(yaml);
  } finally {
    yaml.dispose();
  }
}
