// A key of the configuration file that ships nowhere.
import { type ConfigPart, listOfObjects, STRING } from '../../settings/config-part.ts';
import { entriesOf, textOf } from '../../settings/entries.ts';

interface Cage {
  name: string;
  birds: unknown;
}

export const CAGES: ConfigPart<readonly Cage[]> = {
  keys: {
    cages: {
      meaning: 'Where parrots live.',
      default: 'none',
      example: 'cages:\n  - { name: salon, birds: 2 }\n',
      schema: listOfObjects({ name: STRING, birds: { type: 'integer' } }, ['name']),
    },
  },
  read: ({ file }) =>
    entriesOf(file, 'cages', ['name', 'birds']).map((entry) => ({
      name: textOf(entry, 'name', 'the name of a cage').text,
      birds: entry.members['birds'],
    })),
};
