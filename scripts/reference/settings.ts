import { CONFIG_KEYS, CONFIG_FILE_KEYS, VARIABLES } from '../../server/settings/index.ts';
import { fenced, page, type ReferencePage } from './markdown.ts';

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
    '## Keys of the configuration file',
    CONFIG_FILE_KEYS.flatMap((key) => {
      const { meaning, default: otherwise, example } = CONFIG_KEYS[key] ?? { meaning: '', default: '', example: '' };
      return [`### \`${key}\``, `${meaning} Default: ${otherwise}.`, fenced('yaml', example)];
    }),
  );
}
