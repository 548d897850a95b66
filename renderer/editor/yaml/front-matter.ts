import { monaco } from '../monaco.ts';

/** What gives completion and hover in YAML. */
export interface YamlProviders {
  completion?: monaco.languages.CompletionItemProvider;
  hover?: monaco.languages.HoverProvider;
}

const FENCE = /^---[ \t]*$/;

/** Offers in the front matter of Markdown what YAML offers, by way of a document of its own that nobody sees. */
export function offerFrontMatter({ completion, hover }: YamlProviders): void {
  if (completion !== undefined) {
    monaco.languages.registerCompletionItemProvider('markdown', {
      triggerCharacters: [' ', ':'],
      provideCompletionItems: (model, position, context, token) =>
        within(model, position, (yaml) => completion.provideCompletionItems(yaml, position, context, token)),
    });
  }
  if (hover !== undefined) {
    monaco.languages.registerHoverProvider('markdown', {
      provideHover: (model, position, token) =>
        within(model, position, (yaml) => hover.provideHover(yaml, position, token)),
    });
  }
}

async function within<Answer>(
  model: monaco.editor.ITextModel,
  { lineNumber }: monaco.Position,
  ask: (yaml: monaco.editor.ITextModel) => monaco.languages.ProviderResult<Answer>,
): Promise<Answer | null | undefined> {
  const lines = model.getLinesContent();
  const end = lines.findIndex((line, index) => index > 0 && FENCE.test(line));
  if (!FENCE.test(lines[0] ?? '') || lineNumber === 1 || (end !== -1 && lineNumber > end)) return undefined;
  // An empty line stands for the first fence, so that places are the same in both.
  const yaml = monaco.editor.createModel(
    ['', ...lines.slice(1, end === -1 ? lines.length : end), ''].join('\n'),
    'yaml',
    model.uri.with({ path: model.uri.path.replace(/\.md$/, '.yaml') }),
  );
  try {
    return await ask(yaml);
  } finally {
    yaml.dispose();
  }
}
