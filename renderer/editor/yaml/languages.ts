// Completion and hover in YAML, by the schemas of the documents. What is wrong is said by the service alone.
import { configureMonacoYaml } from 'monaco-yaml';
import { monaco } from '../monaco.ts';
import { offerFrontMatter, type YamlProviders } from './front-matter.ts';
import { INTERACTION_SCHEMA } from './schemas/interaction.ts';
import { REASONING_SCHEMA } from './schemas/reasoning.ts';
import { WORKFLOW_SCHEMA } from './schemas/workflow.ts';

type Languages = typeof monaco.languages;

const providers: YamlProviders = {};

/** The editor as monaco-yaml sees it; what it registers is kept, too, for YAML that stands within Markdown. */
const observed = {
  ...monaco,
  languages: {
    ...monaco.languages,
    registerCompletionItemProvider: ((language, provider) => {
      providers.completion = provider;
      return monaco.languages.registerCompletionItemProvider(language, provider);
    }) satisfies Languages['registerCompletionItemProvider'],
    registerHoverProvider: ((language, provider) => {
      providers.hover = provider;
      return monaco.languages.registerHoverProvider(language, provider);
    }) satisfies Languages['registerHoverProvider'],
  },
};

/** To be called once: what is offered is offered in every editor. */
export function offerYaml(): void {
  configureMonacoYaml(observed, {
    validate: false,
    format: { enable: false },
    hoverAnchor: false,
    schemas: [
      { uri: 'cuebook://schemas/workflow', fileMatch: ['**/*.workflow.yaml'], schema: WORKFLOW_SCHEMA },
      { uri: 'cuebook://schemas/interaction', fileMatch: ['**/*.interaction.yaml'], schema: INTERACTION_SCHEMA },
      { uri: 'cuebook://schemas/reasoning', fileMatch: ['**/*.reasoning.yaml'], schema: REASONING_SCHEMA },
    ],
  });
  offerFrontMatter(providers);
}
