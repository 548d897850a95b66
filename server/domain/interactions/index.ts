import Type from 'typebox';
import { object, oneOf, optional, text } from '../../../shared/schemas/fields.ts';
import { DEFINITION_TYPES } from '../../../shared/definition-types.ts';
import type { Issue } from '../../../shared/issues.ts';
import type { Json } from '../../../shared/json.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { KIB } from '../../../shared/product.ts';
import { AnswerFactSchema, InteractionRequestSchema } from '../../../shared/schemas/index.ts';
import { jsonBytes } from '../../lib/canonical-json.ts';
import { defineOperation, type Operation, PAGE_FIELDS, pageOf, pageRequest } from '../../operations/index.ts';
import type { Playbooks } from '../playbooks/index.ts';
import type { Runs } from '../runs/index.ts';
import type { Interactions } from './interactions.ts';

export { createInteractions, type Interactions, REQUEST_LANES } from './interactions.ts';
export { interactionProjection } from './projection.ts';
export { interactionMigrations } from './sql.ts';

const PLAYBOOK = text("The playbook's id.");

export function interactionOperations(interactions: Interactions, runs: Runs, playbooks: Playbooks): Operation[] {
  const tag = 'Interactions';
  return [
    defineOperation({
      name: 'list_interactions',
      tag,
      title: 'List open requests',
      description:
        'Use to see open questions and notifications that are being delivered, newest first, with the message, the schema of the answer, and the call that started the run that asks. Answer with answer_interaction. A notification that arrived is not open: list_runs with `type` interaction lists its run.',
      permissions: ['playbook:read'],
      method: 'GET',
      route: '/playbooks/{playbook}/interactions',
      path: Type.Object({ playbook: PLAYBOOK }),
      fields: object({
        to: optional(text('The party.', { maxLength: 256 })),
        type: optional(oneOf('Of the function.', DEFINITION_TYPES)),
        function: optional(text('Its name.', { maxLength: 48 })),
        run_id: optional(text('Only of this run and of those below it.', { maxLength: 64, 'x-addition': true })),
        ...PAGE_FIELDS,
      }),
      output: object({
        interactions: Type.Array(InteractionRequestSchema),
        has_more: Type.Boolean(),
        next_cursor: Type.Union([Type.String(), Type.Null()]),
      }),
      problems: ['not_found'],
      hints: { readOnly: true, destructive: false, idempotent: true },
      mcp: true,
      async handle(call, { playbook, to, type, function: name, run_id: run, ...page }) {
        const request = pageRequest(call, page, 'interactions');
        const playbookKey = { org: call.org, playbook };
        const filter = { to, type, function: name, run };
        const read = await interactions.list(playbookKey, filter, request.after, request.limit + 1);
        const { entries, end } = pageOf(read, request, 'interactions', ({ place: at }) => at);
        return { interactions: entries.map((entry) => entry.request), ...end };
      },
    }),
    defineOperation({
      name: 'answer_interaction',
      tag,
      title: 'Answer a request',
      description:
        'Use to answer an open question: `run_id` is that of the run that asked, as list_interactions shows it, not that of the workflow. A refused answer leaves the question open. The same answer again returns the recorded event; a different one is `conflict`.',
      permissions: ['playbook:write'],
      method: 'POST',
      route: '/playbooks/{playbook}/runs/{run_id}/answer',
      path: Type.Object({ playbook: PLAYBOOK, run_id: text('The run that asked.') }),
      fields: object({
        answer: Type.Unsafe<Json>({
          description: `By the request's answer_schema; at most ${LIMITS.answerBytes / KIB} KiB as JSON.`,
        }),
        claimed_for: optional(text('On whose behalf; recorded, never verified.', { minLength: 1 })),
      }),
      checksFields: ({ answer, claimed_for: claimedFor }) => sizeIssues(answer, claimedFor),
      depths: { '/answer': LIMITS.inputDepth },
      output: AnswerFactSchema,
      problems: ['not_found', 'conflict'],
      hints: { readOnly: false, destructive: true, idempotent: true },
      mcp: true,
      forAgents: { forPeople: true, listedBy: 'list_interactions', omitted: ['run_id', 'answer'] },
      async precheck({ org }, { playbook, run_id }) {
        await playbooks.refuseInactive({ org, playbook });
        await runs.get({ org, playbook }, run_id);
      },
      handle: ({ org, caller }, { playbook, run_id, answer, claimed_for: claimedFor }) =>
        interactions.answer({ org, playbook }, run_id, { answer, claimedFor, by: caller.id }),
    }),
  ];
}

function sizeIssues(answer: Json, claimedFor: string | undefined): Issue[] {
  const issues: Issue[] = [];
  const bytes = jsonBytes(answer);
  if (bytes > LIMITS.answerBytes) {
    const detail = `\`answer\` has ${bytes} bytes as JSON; it may have at most ${LIMITS.answerBytes}.`;
    issues.push({ pointer: '/answer', detail });
  }
  const claimed = Buffer.byteLength(claimedFor ?? '');
  if (claimed > LIMITS.claimedForBytes) {
    const detail = `\`claimed_for\` has ${claimed} bytes; it may have at most ${LIMITS.claimedForBytes}.`;
    issues.push({ pointer: '/claimed_for', detail });
  }
  return issues;
}
