// How new definitions of each type begin: a short, complete and valid document. A type is offered once it has one.
import { DEFINITION_TYPES, type DefinitionType } from '../../../shared/definition-types.ts';

/** What each type is for, in a sentence. */
export const WHAT_THEY_DO: Readonly<Partial<Record<DefinitionType, string>>> = {
  reasoning: 'A prompt for a model, which answers with text or with checked JSON and may call tools.',
  interaction: 'A question that a person answers, a notice, or a single call of a tool.',
  prediction: 'Forecasts with intervals, by models that are trained and scored first.',
  recall: 'A view of the events, always up to date, that answers questions.',
  computation: 'A TypeScript program that computes an output from its input.',
  workflow: 'Steps that call other definitions and wait for people, events and times.',
};

/** The model that the examples of the documentation name. */
const USUAL_MODEL = 'openai/gpt-5-mini';

export const BEGINNINGS: Readonly<Partial<Record<DefinitionType, string>>> = {
  reasoning: `---
description: Decides how urgent a ticket is, and why.
model: ${USUAL_MODEL}
input:
  type: object
  required: [title]
  properties: { title: { type: string }, body: { type: string } }
output:
  type: object
  required: [urgent, reason]
  additionalProperties: false
  properties: { urgent: { type: boolean }, reason: { type: string } }
examples:
  - name: a broken login
    input: { title: Nobody can log in }
---
A customer writes: {{ input.title }}

{{ input.body | default: "" }}
`,
  interaction: `description: Asks a person to approve a refund.
input:
  type: object
  required: [to, amount]
  properties: { to: { type: string }, amount: { type: number } }
ask:
  to: '{{ input.to }}'
  message: 'Approve a refund of {{ input.amount }} EUR?'
  answer:
    type: object
    required: [approved]
    properties: { approved: { type: boolean }, note: { type: string } }
  expires: P3D
`,
  prediction: `description: Tickets expected per month.
dataset: { value: tickets }
period: month
context: 36
horizon: 12
trainer: { inbox: forecasters }
`,
  recall: `export const description = 'Open tickets by owner.';

export const input = { type: 'object', properties: { owner: { type: 'string' } } };
export const output = { shape: 'table' };
export const reads = [{ events: { type: 'ticket.opened' } }, { events: { type: 'ticket.closed' } }];
export const initial = { open: {} };

export function evolve(state, event) {
  if (event.kind !== 'event') return state;
  const { id, owner } = event.event.data;
  if (event.event.type === 'ticket.opened') state.open[id] = owner;
  else delete state.open[id];
  return state;
}

export function answer(state, input) {
  const rows = Object.entries(state.open)
    .filter(([, owner]) => input.owner === undefined || owner === input.owner)
    .map(([ticket, owner]) => ({ ticket, owner }));
  return { columns: [{ key: 'ticket', title: 'Ticket' }, { key: 'owner', title: 'Owner' }], rows };
}
`,
  computation: `export const description = 'Scores how urgent a ticket is, 0 to 100.';

export const input = {
  type: 'object',
  required: ['plan'],
  properties: {
    plan: { enum: ['free', 'team', 'enterprise'], description: 'The plan of the customer.' },
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

/**
 * What a new definition of a type begins with. It names a model that can be used.
 *
 * @param models the references of those that can be used, as far as they are known
 */
export function beginningOf(type: DefinitionType, models: readonly string[]): string {
  const beginning = BEGINNINGS[type] ?? '';
  const [first] = models;
  return first === undefined || models.includes(USUAL_MODEL) ? beginning : beginning.replace(USUAL_MODEL, () => first);
}
