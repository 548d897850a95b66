// The operations on a run in progress: cancel it, and send it an event.
import Type from 'typebox';
import type { JsonObject } from '../../../shared/json.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { RunSchema } from '../../../shared/schemas/index.ts';
import { defineOperation, type Operation } from '../../operations/index.ts';
import { checkRunEvent } from '../events/index.ts';
import type { Playbooks } from '../playbooks/index.ts';
import { compactRun } from './compact-run.ts';
import type { Runs } from './interface.ts';
import { RUN_PATH, TAG } from './operation-parts.ts';

export function cancelRunOperation(runs: Runs, playbooks: Playbooks): Operation {
  return defineOperation({
    name: 'cancel_run',
    tag: TAG,
    title: 'Cancel a run',
    description:
      'Use to cancel a workflow, an open request or a build in progress. It takes effect shortly after: read the run with get_run. A run that has ended is `conflict`.',
    permissions: ['playbook:write'],
    method: 'POST',
    route: '/playbooks/{playbook}/runs/{run_id}/cancel',
    path: RUN_PATH,
    fields: Type.Object(
      {
        reason: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: LIMITS.cancelReasonCharacters,
            pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
            description: "Becomes the detail of the run's ending.",
          }),
        ),
      },
      { additionalProperties: false },
    ),
    output: RunSchema,
    problems: ['not_found', 'conflict'],
    hints: { readOnly: false, destructive: true, idempotent: true },
    mcp: true,
    forAgents: { compact: compactRun },
    async precheck({ org }, { playbook, run_id }) {
      await playbooks.refuseInactive({ org, playbook });
      await runs.get({ org, playbook }, run_id);
    },
    handle: ({ org, caller, traceId }, { playbook, run_id, reason }) =>
      runs.cancel({ org, playbook }, run_id, { reason, by: caller.id, traceId }),
  });
}

export function sendRunEventOperation(runs: Runs, playbooks: Playbooks): Operation {
  return defineOperation({
    name: 'send_run_event',
    tag: TAG,
    title: 'Send an event to a run',
    description:
      'Use to send an event to one workflow run in progress; it is kept until a `listen` step receives it. publish_event reaches the whole playbook.',
    permissions: ['playbook:write'],
    method: 'POST',
    route: '/playbooks/{playbook}/runs/{run_id}/events',
    path: RUN_PATH,
    fields: Type.Object(
      {
        event: Type.Unsafe<JsonObject>({
          type: 'object',
          description: 'A CloudEvent.',
          required: ['type'],
          properties: {
            type: { type: 'string', examples: ['order.paid'] },
            id: { type: 'string', description: 'A run accepts each id once; default: generated.' },
            source: { type: 'string', description: 'Default: /callers/ and the caller.' },
            subject: { type: 'string' },
            data: { description: 'Any JSON value.' },
          },
        }),
      },
      { additionalProperties: false },
    ),
    checksFields: ({ event }) => checkRunEvent(event),
    depths: { '/event/data': LIMITS.eventDataDepth },
    output: Type.Object(
      {
        run_id: Type.String({ format: 'uuid', description: 'The run.' }),
        event: Type.Unsafe<JsonObject>({ type: 'object', description: 'The event as it was delivered.' }),
      },
      { additionalProperties: false },
    ),
    problems: ['not_found', 'conflict', 'unavailable'],
    hints: { readOnly: false, destructive: false, idempotent: true },
    mcp: true,
    async precheck({ org }, { playbook, run_id }) {
      await playbooks.refuseInactive({ org, playbook });
      await runs.get({ org, playbook }, run_id);
    },
    handle: ({ org, caller }, { playbook, run_id, event }) => runs.send({ org, playbook }, run_id, event, caller.id),
  });
}
