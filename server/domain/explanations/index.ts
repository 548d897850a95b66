// Explains runs to people and agents.
import Type from 'typebox';
import { count, object, objects, optional, text } from '../../../shared/schemas/fields.ts';
import { KIB } from '../../../shared/product.ts';
import { defineOperation, type Operation } from '../../operations/index.ts';
import { MOST_EXPLAINED } from './bound.ts';
import type { Explanations } from './explanations.ts';

export { createExplanations } from './explanations.ts';

export function explanationOperations(explanations: Explanations): Operation[] {
  return [
    defineOperation({
      name: 'explain_run',
      tag: 'Runs',
      title: 'Explain a run',
      description: `Use first to see what a run did and why it ended: one line for each step, request and tool call, with called runs indented by \`depth\`, in at most ${MOST_EXPLAINED / KIB} KiB. get_event returns the details of a line.`,
      permissions: ['playbook:read'],
      method: 'GET',
      route: '/playbooks/{playbook}/runs/{run_id}/explanation',
      path: Type.Object({
        playbook: text("The playbook's id."),
        run_id: text("The run's id."),
      }),
      output: object({
        run_id: text('The run.', { format: 'uuid' }),
        lines: objects('Oldest first. If they do not fit, one line stands for those in the middle.', {
          text: text('What happened, in one sentence.'),
          depth: count('How far the line is indented, from 0.'),
          event_id: text('The event that has the details.'),
          run_id: optional(text('The called run that the line is about.', { format: 'uuid' })),
        }),
        left_out: count('The number of lines that did not fit; for a long run, the least number.'),
      }),
      problems: ['not_found'],
      hints: { readOnly: true, destructive: false, idempotent: true },
      mcp: true,
      addition: true,
      forAgents: { listedBy: 'list_runs', omitted: ['run_id'] },
      handle: ({ org }, { playbook, run_id }) => explanations.explain({ org, playbook }, run_id),
    }),
  ];
}
