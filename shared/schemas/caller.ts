import Type from 'typebox';
import { ALL_PERMISSIONS } from '../permissions.ts';

/** Who makes a request, and what it may do. */
export const CallerSchema = Type.Object(
  {
    id: Type.String({
      description: 'The name under which its actions are recorded.',
      examples: ['developer', 'key:reporting'],
    }),
    form: Type.Enum(['local', 'key', 'access_token', 'session'], {
      description: 'What the request presented; `local` in local mode, where nothing is needed.',
    }),
    org: Type.String({ description: 'The org that it acts in.' }),
    permissions: Type.Array(Type.Enum([...ALL_PERMISSIONS]), { description: 'What it may do in that org.' }),
    all_playbooks: Type.Boolean({
      description:
        'Whether it reaches all playbooks of the org, and may create others; false if it is limited to some.',
    }),
  },
  { additionalProperties: false },
);
