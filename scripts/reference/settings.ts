import {
  BUILT_IN,
  CONFIG_KEYS,
  CONFIG_FILE_KEYS,
  configuringVariables,
  VARIABLES,
  variablesOf,
} from '../../server/settings/index.ts';
import { code, fenced, page, type ReferencePage, table } from './markdown.ts';

export function settingsPage(): ReferencePage {
  return page(
    'settings.md',
    'All settings',
    '[Settings](../settings.md) says where they are written and which goes before which.',
    '## Variables',
    Object.entries(VARIABLES).flatMap(([name, { option, meaning, default: otherwise }]) => [
      `### \`${name}\``,
      `${meaning} Default: ${otherwise}.${option === undefined ? '' : ` Goes behind the option ${option}.`}`,
    ]),
    '## Variables of model providers',
    'A provider that is built in is there once one of the variables that configure it is set, under the names of its own SDK ([Models](../models.md)).',
    table(
      ['provider', 'any one configures it', 'read too'],
      BUILT_IN.map((prefix) => {
        const configuring = configuringVariables(prefix);
        const others = variablesOf(prefix).filter((name) => !configuring.includes(name));
        return [code(prefix), configuring.map(code).join(', '), others.map(code).join(', ')];
      }),
    ),
    '## Keys of the configuration file',
    CONFIG_FILE_KEYS.flatMap((key) => {
      const { meaning, default: otherwise, example } = CONFIG_KEYS[key] ?? { meaning: '', default: '', example: '' };
      return [`### \`${key}\``, `${meaning} Default: ${otherwise}.`, fenced('yaml', example)];
    }),
  );
}
