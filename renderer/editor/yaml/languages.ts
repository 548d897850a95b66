// Completion and hover in YAML, from the schemas of the documents. Only the service reports errors.
import { configureMonacoYaml } from 'monaco-yaml';
import { monaco } from '../monaco.ts';
import { offerFrontMatter, type YamlProviders } from './front-matter.ts';
import { withPlainSuggestions } from './plain-suggestions.ts';
import { INTERACTION_SCHEMA } from './schemas/interaction.ts';
import { PREDICTION_SCHEMA } from './schemas/prediction.ts';
import { REASONING_SCHEMA } from './schemas/reasoning.ts';
import { WORKFLOW_SCHEMA } from './schemas/workflow.ts';

type Languages = typeof monaco.languages;

const providers: YamlProviders = {};

/** The editor as monaco-yaml sees it. Its providers are also recorded, for the YAML in the front matter of Markdown. */
const recordingMonaco = {
  ...monaco,
  languages: {
    ...monaco.languages,
    registerCompletionItemProvider: ((language, provider) => {
      providers.completion = withPlainSuggestions(provider);
      return monaco.languages.registerCompletionItemProvider(language, providers.completion);
    }) satisfies Languages['registerCompletionItemProvider'],
    registerHoverProvider: ((language, provider) => {
      providers.hover = provider;
      return monaco.languages.registerHoverProvider(language, provider);
    }) satisfies Languages['registerHoverProvider'],
  },
};

/** Registers YAML for every editor. Call it once. */
export function offerYaml(): void {
  configureMonacoYaml(recordingMonaco, {
    validate: false,
    format: { enable: false },
    hoverAnchor: false,
    schemas: [
      { uri: 'cuebook://schemas/workflow', fileMatch: ['**/*.workflow.yaml'], schema: WORKFLOW_SCHEMA },
      { uri: 'cuebook://schemas/interaction', fileMatch: ['**/*.interaction.yaml'], schema: INTERACTION_SCHEMA },
      { uri: 'cuebook://schemas/prediction', fileMatch: ['**/*.prediction.yaml'], schema: PREDICTION_SCHEMA },
      { uri: 'cuebook://schemas/reasoning', fileMatch: ['**/*.reasoning.yaml'], schema: REASONING_SCHEMA },
    ],
  });
  offerFrontMatter(providers);
}
