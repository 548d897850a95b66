// Explains runs to people and agents.
import Type from 'typebox';
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
        playbook: Type.String({ description: "The playbook's id." }),
        run_id: Type.String({ description: "The run's id." }),
      }),
      output: Type.Object(
        {
          run_id: Type.String({ format: 'uuid', description: 'The run.' }),
          lines: Type.Array(
            Type.Object(
              {
                text: Type.String({ description: 'What happened, in one sentence.' }),
                depth: Type.Integer({ minimum: 0, description: 'How far the line is indented, from 0.' }),
                event_id: Type.String({ description: 'The event that has the details.' }),
                run_id: Type.Optional(
                  Type.String({ format: 'uuid', description: 'The called run that the line is about.' }),
                ),
              },
              { additionalProperties: false },
            ),
            { description: 'Oldest first. If they do not fit, one line stands for those in the middle.' },
          ),
          left_out: Type.Integer({
            minimum: 0,
            description: 'The number of lines that did not fit; for a long run, the least number.',
          }),
        },
        { additionalProperties: false },
      ),
      problems: ['not_found'],
      hints: { readOnly: true, destructive: false, idempotent: true },
      mcp: true,
      addition: true,
      forAgents: { listedBy: 'list_runs', omitted: ['run_id'] },
      handle: ({ org }, { playbook, run_id }) => explanations.explain({ org, playbook }, run_id),
    }),
  ];
}
