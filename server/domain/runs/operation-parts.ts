// What the operations on runs share: their fields, and what they tell agents to do next.
import Type from 'typebox';
import { DEFINITION_TYPES } from '../../../shared/definition-types.ts';
import type { JsonObject } from '../../../shared/json.ts';
import type { Run } from '../../../shared/schemas/index.ts';
import { statusSentence } from '../../../shared/status-label.ts';

export const TAG = 'Runs';
export const PLAYBOOK = Type.String({ description: "The playbook's id." });
export const TYPE = Type.Enum(DEFINITION_TYPES, { description: 'The type of definition.' });
export const UUID_PATTERN = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$';
export const RUN_ID = Type.Optional(
  Type.String({
    pattern: UUID_PATTERN,
    description: 'Your own UUID: repeating the request finds the same run.',
    examples: ['0192b3a4-5c6d-7e8f-9a0b-1c2d3e4f5a6b'],
  }),
);
export const RUN_PATH = Type.Object({ playbook: PLAYBOOK, run_id: Type.String({ description: "The run's id." }) });
export const READ = { readOnly: true, destructive: false, idempotent: true };

/** How to find the question that a run waits for. */
export function questionWords({ waits_for: waitsFor }: JsonObject): string {
  if (!Array.isArray(waitsFor) || !waitsFor.includes('answer')) return '';
  return ' list_interactions with it shows its open question.';
}

export function waitsWords(answer: JsonObject): string | undefined {
  const run = answer as unknown as Run;
  if (run.status !== 'started') return undefined;
  return `${statusSentence('The run', run)} Read its result with get_run and run_id ${run.run_id}.${questionWords(answer)}`;
}
