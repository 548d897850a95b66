import { statusLabelOf } from '../../../shared/status-label.ts';
import type { RUN_EVENTS } from '../../../shared/schemas/events/runs.ts';
import type { TOOL_CALL_EVENTS } from '../../../shared/schemas/events/tool-calls.ts';
import type { WORKFLOW_EVENTS } from '../../../shared/schemas/events/workflows.ts';
import { counted, reasons, runOf, type Sentences, short, toolName } from './phrases.ts';

const CANCEL_CAUSES = {
  requested: 'to stop',
  parent_ended: 'to stop because the run that called it ended',
  deadline: 'to stop because its deadline passed',
};

export const RUN_SENTENCES: Sentences<keyof typeof RUN_EVENTS> = {
  run_started: ({ attempt }, event) => `${runOf(event)} started (attempt ${attempt}).`,
  run_deferred: ({ attempt, waits_for }, event) =>
    `${runOf(event)} is waiting${waits_for ? ` for ${short(waits_for)}` : ''} (attempt ${attempt}).`,
  run_succeeded: ({ attempt }, event) => `${runOf(event)} succeeded (attempt ${attempt}).`,
  run_rejected: ({ attempt, rejection }, event) => {
    const { word, about } = statusLabelOf({ status: 'rejected', ...rejection });
    return `${runOf(event)} was ${word.toLowerCase()} (attempt ${attempt})${reasons(about)}${codes(rejection, about)}.`;
  },
  run_failed: ({ attempt }, event) => `${runOf(event)} failed (attempt ${attempt}).`,
  run_cancel_requested: ({ kind }, event) => `${runOf(event)} was asked ${CANCEL_CAUSES[kind]}.`,
};

export const TOOL_CALL_SENTENCES: Sentences<keyof typeof TOOL_CALL_EVENTS> = {
  tool_call_started: (call) => `The tool ${toolName(call)} was called.`,
  tool_call_answered: (call) => `The tool ${toolName(call)} returned ${call.is_error ? 'an error' : 'a result'}.`,
  tool_call_failed: (call) => `The call of the tool ${toolName(call)} failed${reasons(call.because)}.`,
};

export const WORKFLOW_SENTENCES: Sentences<keyof typeof WORKFLOW_EVENTS> = {
  workflow_input_applied: ({ kind, moved }, event) =>
    `${runOf(event)} received the input ${short(kind)}, which advanced ${counted(moved, 'step')}.`,
  step_started: (step) => `${stepName(step)} started.`,
  step_waiting: ({ waits_for, ...step }) =>
    `${stepName(step)} is waiting${waits_for ? ` for ${short(waits_for)}` : ''}.`,
  step_finished: (step) => `${stepName(step)} finished.`,
  step_failed: ({ error, ...step }) => `${stepName(step)} failed${reasons(error.title ?? error.type)}.`,
  step_skipped: (step) => `${stepName(step)} was skipped.`,
  reaction_refused: ({ trigger, because }, event) => {
    const { definition } = event.metadata;
    const whose = definition === undefined ? '' : ` of ${definition.type}/${short(definition.name)}`;
    return `The trigger ${short(trigger.reference)}${whose} started no run${reasons(because)}.`;
  },
};

/** What the API calls it, unless the sentence says it in words: " (conflict, unworkable)", or nothing. */
function codes({ reason, kind, because }: { reason: string; kind?: string; because?: string }, about?: string): string {
  const isInWords = reason === 'cancelled' || reason.replaceAll('_', ' ') === about;
  const more = [isInWords ? undefined : reason, kind, because].filter((code) => code !== undefined);
  return more.length === 0 ? '' : ` (${more.map(short).join(', ')})`;
}

function stepName({ step, iterations = [] }: { step: string; iterations?: number[] }): string {
  return `The step ${short(step)}${iterations.length === 0 ? '' : ` (iteration ${iterations.join('.')})`}`;
}
