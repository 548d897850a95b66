// The documents that the agent writes: first with typical mistakes, then corrected.

export const SCORE = {
  /** Exports a name that is refused, and uses a name that it does not declare. */
  wrong: `export const description = "Scores how urgent a ticket is, 0 to 100.";
export const inputSchema = { type: "object", required: ["title", "plan"], properties: { title: { type: "string" }, plan: { enum: ["free", "team", "enterprise"] }, amount: { type: "number", minimum: 0 } } };
export const output = { type: "object", required: ["score"], properties: { score: { type: "integer" } } };
export default function (input) {
  const weight = { free: 1, team: 2, enterprise: 4 }[input.plan];
  return { score: Math.min(100, weight * 10 + input.amount / 10) };
}
`,
  /** Returns a number that is not whole for some amounts. */
  corrected: `export const description = "Scores how urgent a ticket is, 0 to 100.";
export const input = { type: "object", required: ["title", "plan"], properties: { title: { type: "string" }, plan: { enum: ["free", "team", "enterprise"] }, amount: { type: "number", minimum: 0 } } };
export const output = { type: "object", required: ["score"], properties: { score: { type: "integer" } } };
export default function (input) {
  const weight = { free: 1, team: 2, enterprise: 4 }[input.plan];
  return { score: Math.min(100, weight * 10 + (input.amount ?? 0) / 10) };
}
`,
  rounded: `export const description = "Scores how urgent a ticket is, 0 to 100.";
export const input = { type: "object", required: ["title", "plan"], properties: { title: { type: "string" }, plan: { enum: ["free", "team", "enterprise"] }, amount: { type: "number", minimum: 0 } } };
export const output = { type: "object", required: ["score"], properties: { score: { type: "integer" } } };
export default function (input) {
  const weight = { free: 1, team: 2, enterprise: 4 }[input.plan];
  return { score: Math.min(100, Math.round(weight * 10 + (input.amount ?? 0) / 10)) };
}
`,
};

export const COUNTS = {
  /** Keeps its state in a variable of the module. */
  wrong: `export const description = "Counts tickets by plan.";
export const output = { type: "object" };
export const reads = [{ events: { type: "ticket.opened" } }];
let counts = {};
export function evolve(state, event) {
  counts[event.data.plan] = (counts[event.data.plan] ?? 0) + 1;
  return state;
}
export function answer(state) { return counts; }
`,
  corrected: `export const description = "Counts tickets by plan.";
export const output = { type: "object" };
export const reads = [{ events: { type: "ticket.opened" } }];
export const initial = { counts: {} };
export function evolve(state, event) {
  const plan = String(event.event.data.plan);
  state.counts[plan] = (state.counts[plan] ?? 0) + 1;
  return state;
}
export function answer(state) { return state.counts; }
`,
};

export const APPROVE = {
  /** Prints a value that may be missing, and has a member that does not exist. */
  wrong: `description: Asks the desk to approve a refund.
input:
  type: object
  required: [ticket, amount]
  properties: { ticket: { type: string }, amount: { type: number } }
ask:
  to: desk
  message: "Refund {{ input.amount }} EUR for {{ input.ticket }}?"
  schema:
    type: object
    required: [approved]
    properties: { approved: { type: boolean } }
`,
  corrected: `description: Asks the desk to approve a refund.
input:
  type: object
  required: [ticket, amount]
  properties: { ticket: { type: string }, amount: { type: number } }
ask:
  to: desk
  message: "Refund {{ input.amount }} EUR for {{ input.ticket }}?"
  answer:
    type: object
    required: [approved]
    properties: { approved: { type: boolean } }
  expires: PT1H
`,
};

const WORKFLOW_HEAD = `document:
  dsl: '1.0.3'
  namespace: desk
  name: handle-ticket
  version: '1.0.0'
  summary: Scores a ticket and asks for a refund if it is urgent.
schedule:
  on: { one: { with: { type: ticket.opened } } }
do:
  - score:
      call: computation/score
`;

const handle = (urgent: string): string => `${WORKFLOW_HEAD}      with: '\${ .[0] }'
      export: { as: '{ score: .score }' }
  - decide:
      switch:
        - urgent: { when: .score >= 30, then: ${urgent} }
        - other: { then: end }
  - ask:
      call: interaction/approve
      with: { ticket: '\${ $workflow.input[0].title }', amount: '\${ $workflow.input[0].amount }' }
  - done:
      set: { approved: '\${ .approved }', score: '\${ $context.score }' }
`;

export const HANDLE = {
  /** Quotes no expression inside braces, and jumps to a step that does not exist. */
  wrong: handle('refund'),
  corrected: handle('ask'),
};
