import Type, { type Static } from 'typebox';
import { timestamp } from './common.ts';

export const PlaybookSchema = Type.Object(
  {
    id: Type.String({ description: 'The id; never used again once the playbook is retired.' }),
    name: Type.String({ description: 'What people call it.' }),
    description: Type.String({ description: 'What it is for; may be empty.' }),
    status: Type.Enum(['active', 'retired'], { description: 'A retired one can be read and takes no commands.' }),
    created_at: timestamp('When it was created.'),
    created_by: Type.String({ description: 'The caller who created it.' }),
    updated_at: timestamp('When it was last changed.'),
    retired_at: Type.Optional(timestamp('When it was retired; absent before.')),
  },
  { additionalProperties: false },
);

export type Playbook = Static<typeof PlaybookSchema>;
