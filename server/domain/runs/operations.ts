// The operations on runs, in the order of the reference; those that start a run stand here.
import Type from 'typebox';
import type { Issue } from '../../../shared/issues.ts';
import type { Json } from '../../../shared/json.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { KIB } from '../../../shared/product.ts';
import { RunSchema } from '../../../shared/schemas/index.ts';
import { jsonBytes } from '../../lib/canonical-json.ts';
import { defineOperation, type Operation } from '../../operations/index.ts';
import type { Definitions } from '../definitions/index.ts';
import type { Playbooks } from '../playbooks/index.ts';
import { cancelRunOperation, sendRunEventOperation } from './changing-operations.ts';
import { compactRun } from './compact-run.ts';
import type { Runs } from './interface.ts';
import { PLAYBOOK, RUN_ID, RUN_PATH, TAG, TYPE, waitsWords } from './operation-parts.ts';
import { followRunOperation, getRunOperation, listRunsOperation } from './reading-operations.ts';

export function runOperations(runs: Runs, playbooks: Playbooks, definitions: Definitions): Operation[] {
  return [
    runDefinitionOperation(runs, definitions),
    getRunOperation(runs),
    rerunOperation(runs, playbooks),
    followRunOperation(runs),
    listRunsOperation(runs),
    cancelRunOperation(runs, playbooks),
    sendRunEventOperation(runs, playbooks),
  ];
}

const RUN_FIELDS = Type.Object(
  {
    input: Type.Optional(
      Type.Unsafe<Json>({
        description: `Default: {}. At most ${LIMITS.inputBytes / KIB} KiB as JSON and ${LIMITS.inputDepth} levels deep.`,
      }),
    ),
    run_id: RUN_ID,
    version: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 999_999_999,
        'x-addition': true,
        description: 'Default: the current one. Not for recall and prediction.',
      }),
    ),
    model: Type.Optional(
      Type.String({
        pattern: '^[^\\s/*]+/[^\\s*]+$',
        maxLength: 512,
        'x-addition': true,
        description: 'Reasoning: instead of the one in the document.',
      }),
    ),
  },
  { additionalProperties: false },
);

function runDefinitionOperation(runs: Runs, definitions: Definitions): Operation {
  return defineOperation({
    name: 'run_definition',
    tag: TAG,
    title: 'Run a definition',
    description:
      'Use to run a function or start a workflow. Returns the output, or `status: started` for a run that has to wait: read its result with get_run. A program that fails on the input is `conflict` kind `unworkable`.',
    permissions: ['playbook:write'],
    method: 'POST',
    route: '/playbooks/{playbook}/definitions/{type}/{name}/run',
    path: Type.Object({
      playbook: PLAYBOOK,
      type: TYPE,
      name: Type.String({ description: "The definition's name." }),
    }),
    fields: RUN_FIELDS,
    checksFields: ({ input }) => inputSizeIssues(input),
    depths: { '/input': LIMITS.inputDepth },
    output: RunSchema,
    problems: [
      'not_found',
      'conflict',
      'tools_called',
      'effect_unknown',
      'cancelled',
      'unanswered',
      'unavailable',
      'tools_unfinished',
      'rebuilding',
    ],
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    mcp: true,
    forAgents: { compact: compactRun, omitted: ['type', 'name'], nextStep: waitsWords },
    precheck: ({ org }, { playbook, type, name }) => definitions.refuseInactive({ org, playbook, type, name }),
    handle: (
      { org, caller, traceId, signal, onText, wait },
      { playbook, type, name, input = {}, run_id, version, model },
    ) =>
      runs.run({
        org,
        playbook,
        type,
        name,
        runId: run_id?.toLowerCase(),
        input,
        ...(version === undefined ? {} : { version }),
        ...(model === undefined ? {} : { model }),
        by: caller.id,
        traceId,
        signal,
        ...(onText === undefined ? {} : { onText }),
        ...(wait === undefined ? {} : { wait }),
      }),
  });
}

function rerunOperation(runs: Runs, playbooks: Playbooks): Operation {
  return defineOperation({
    name: 'rerun',
    tag: TAG,
    title: 'Run again from a step',
    description:
      'Use after you fixed what a failed step calls: starts a new run from `step` of a workflow run that has ended, with the recorded results of the steps before it; nothing before it is called, asked or published again. A `version` in which a step that ran is different is `conflict`.',
    permissions: ['playbook:write'],
    method: 'POST',
    route: '/playbooks/{playbook}/runs/{run_id}/rerun',
    path: RUN_PATH,
    fields: Type.Object(
      {
        step: Type.String({
          minLength: 1,
          maxLength: 2000,
          description: 'Its JSON Pointer (/do/2/charge), or its name if no other step has it.',
          examples: ['/do/2/charge'],
        }),
        iterations: Type.Optional(
          Type.Array(Type.Integer({ minimum: 0, maximum: 10_000 }), {
            maxItems: 100,
            description: 'Of each loop around the step, outermost first, from 0; default: the last.',
          }),
        ),
        version: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 999_999_999,
            description: 'Default: that of the run.',
          }),
        ),
        new_run_id: RUN_ID,
      },
      { additionalProperties: false },
    ),
    output: RunSchema,
    problems: ['not_found', 'conflict', 'cancelled', 'unanswered', 'unavailable'],
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    mcp: true,
    addition: true,
    forAgents: { compact: compactRun, listedBy: 'list_runs', nextStep: waitsWords },
    async precheck({ org }, { playbook, run_id }) {
      await playbooks.refuseInactive({ org, playbook });
      await runs.get({ org, playbook }, run_id);
    },
    handle: ({ org, caller, traceId, signal, wait }, { playbook, run_id, step, iterations, version, new_run_id }) =>
      runs.rerun({
        org,
        playbook,
        origin: run_id.toLowerCase(),
        step,
        ...(iterations === undefined ? {} : { iterations }),
        version,
        runId: new_run_id?.toLowerCase(),
        by: caller.id,
        traceId,
        signal,
        ...(wait === undefined ? {} : { wait }),
      }),
  });
}

export function inputSizeIssues(input: Json | undefined): Issue[] {
  const bytes = input === undefined ? 0 : jsonBytes(input);
  if (bytes <= LIMITS.inputBytes) return [];
  const detail = `\`input\` has ${bytes} bytes as JSON; it may have at most ${LIMITS.inputBytes}. Send less, or divide the work.`;
  return [{ pointer: '/input', detail }];
}
