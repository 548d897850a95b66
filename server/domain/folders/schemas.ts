// Schemas that the operations on folders and on archives share.
import Type from 'typebox';
import { DEFINITION_TYPES } from '../../../shared/definition-types.ts';
import { DocumentCheckSchema } from '../../../shared/schemas/index.ts';

export const PATH = Type.Object({ playbook: Type.String({ description: "The playbook's id." }) });
export const TYPE = Type.Enum(DEFINITION_TYPES, { description: 'The type of definition.' });

export const FolderChangesSchema = Type.Object(
  {
    playbook: Type.Enum(['create', 'update', 'unchanged'], {
      description: 'What happens to the playbook, its name and description.',
    }),
    definitions: Type.Array(
      Type.Object(
        {
          type: TYPE,
          name: Type.String({ description: "The definition's name." }),
          change: Type.Enum(['create', 'update', 'unchanged', 'retire', 'retired', 'missing'], {
            description:
              '`retired`: the name was retired earlier. `missing`: the folder lacks the definition, and it is kept.',
          }),
          version: Type.Optional(
            Type.Integer({ description: 'The version before the change; absent for a new definition.' }),
          ),
          warnings: Type.Optional(
            Type.Array(DocumentCheckSchema.properties.warnings.items, {
              description: 'Warnings about the source; present if it was checked and has any.',
            }),
          ),
        },
        { additionalProperties: false },
      ),
      { description: 'Each definition of the folder and of the playbook, workflows last.' },
    ),
    plan: Type.String({ description: 'Identifies these changes and the versions that they start from.' }),
  },
  { additionalProperties: false },
);
