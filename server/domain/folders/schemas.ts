// Schemas that the operations on folders and on archives share.
import Type from 'typebox';
import { integer, list, object, objects, oneOf, optional, text } from '../../../shared/schemas/fields.ts';
import { DEFINITION_TYPES } from '../../../shared/definition-types.ts';
import { DocumentCheckSchema } from '../../../shared/schemas/index.ts';

export const PATH = Type.Object({ playbook: text("The playbook's id.") });
export const TYPE = oneOf('The type of definition.', DEFINITION_TYPES);

export const FolderChangesSchema = object({
  playbook: oneOf('What happens to the playbook, its name and description.', ['create', 'update', 'unchanged']),
  definitions: objects('Each definition of the folder and of the playbook, workflows last.', {
    type: TYPE,
    name: text("The definition's name."),
    change: oneOf(
      '`retired`: the name was retired earlier. `missing`: the folder lacks the definition, and it is kept.',
      ['create', 'update', 'unchanged', 'retire', 'retired', 'missing'],
    ),
    version: optional(integer('The version before the change; absent for a new definition.')),
    warnings: optional(
      list(
        'Warnings about the source; present if it was checked and has any.',
        DocumentCheckSchema.properties.warnings.items,
      ),
    ),
  }),
  plan: text('Identifies these changes and the versions that they start from.'),
});
