import Type from 'typebox';
import { flag, list, object, oneOf, text } from './fields.ts';
import { ALL_PERMISSIONS } from '../permissions.ts';

/** Who makes a request, and what it may do. */
export const CallerSchema = object({
  id: text('The name under which its actions are recorded.', { examples: ['developer', 'key:reporting'] }),
  form: oneOf('What the request presented; `local` in local mode, where nothing is needed.', [
    'local',
    'key',
    'access_token',
    'session',
  ]),
  org: text('The org that it acts in.'),
  permissions: list('What it may do in that org.', Type.Enum([...ALL_PERMISSIONS])),
  all_playbooks: flag(
    'Whether it reaches all playbooks of the org, and may create others; false if it is limited to some.',
  ),
});
