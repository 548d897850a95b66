// What a new document begins with: short, whole and valid. A type is offered once it stands here.
import { DEFINITION_TYPES, type DefinitionType } from '../../../shared/definition-types.ts';

export const BEGINNINGS: Readonly<Partial<Record<DefinitionType, string>>> = {
  computation: `export const description = 'Says how urgent a ticket is, 0 to 100.';

export const input = {
  type: 'object',
  required: ['plan'],
  properties: {
    plan: { enum: ['free', 'team', 'enterprise'], description: 'What the customer pays for.' },
    age_hours: { type: 'number', minimum: 0, description: 'Hours since the ticket was opened.' },
  },
};
export const output = { type: 'object', required: ['score'], properties: { score: { type: 'integer' } } };
export const examples = [{ name: 'a new ticket', input: { plan: 'team' }, output: { score: 20 } }];

export default function (input) {
  const weight = { free: 1, team: 2, enterprise: 4 }[input.plan];
  return { score: Math.min(100, Math.round(weight * 10 + (input.age_hours ?? 0))) };
}
`,
  workflow: `document:
  dsl: '1.0.3'
  namespace: cuebook
  name: greet-and-part
  version: '1.0.0'
  summary: Greets, waits a little, and says goodbye.
do:
  - greet:
      set: { greeting: '\${ "Hello \\(.name // "you")" }' }
  - pause:
      wait: PT2S
  - part:
      set: { goodbye: true }
`,
};

export const OFFERED_TYPES = DEFINITION_TYPES.filter((type) => BEGINNINGS[type] !== undefined);
