import {
  BUILT_IN,
  CONFIG_KEYS,
  configSchema,
  configuringVariables,
  VARIABLES,
  variablesOf,
} from '../../server/settings/index.ts';
import { code, fenced, page, type ReferencePage, table } from './markdown.ts';

/** The JSON Schema of the configuration file, beside the pages. */
export function configSchemaFile(): ReferencePage {
  return { file: 'cuebook.schema.json', markdown: `${JSON.stringify(configSchema(), undefined, 2)}\n` };
}

export function settingsPage(): ReferencePage {
  return page(
    'settings.md',
    'All settings',
    '[Settings](../settings.md) describes where to set them and which takes precedence.',
    '## Variables',
    Object.entries(VARIABLES).flatMap(([name, { option, meaning, default: otherwise }]) => [
      `### \`${name}\``,
      `${meaning} Default: ${otherwise}.${option === undefined ? '' : ` The option ${option} takes precedence.`}`,
    ]),
    '## Variables of model providers',
    'A built-in provider is configured once one of its variables is set. The names are those of the SDK of the provider ([Models](../models.md)).',
    table(
      ['provider', 'configured by any of', 'also reads'],
      BUILT_IN.map((prefix) => {
        const configuring = configuringVariables(prefix);
        const others = variablesOf(prefix).filter((name) => !configuring.includes(name));
        return [code(prefix), configuring.map(code).join(', '), others.map(code).join(', ')];
      }),
    ),
    '## Keys of the configuration file',
    'The file `cuebook.schema.json` beside this page is their JSON Schema, for [editors](../settings.md#the-configuration-file).',
    Object.entries(CONFIG_KEYS).flatMap(([key, { meaning, default: otherwise, example }]) => [
      `### \`${key}\``,
      `${meaning} Default: ${otherwise}.`,
      fenced('yaml', example),
    ]),
  );
}
