// Generates what the studio shows of things that the server describes once, such as model providers.
import { fileURLToPath } from 'node:url';
import { TASK_TYPES } from '../server/kinds/workflow/task-types.ts';
import { MODEL_PROVIDERS } from '../server/lib/model-providers/index.ts';

export const DESCRIPTIONS_FILE = fileURLToPath(new URL('../shared/api/descriptions.generated.ts', import.meta.url));

/** The source of the generated file; the same descriptions give the same text. */
export function studioDescriptions(): string {
  const names = MODEL_PROVIDERS.map(({ id, name }) => [id, name] as const);
  const tasks = Object.entries(TASK_TYPES).map(([type, { descriptor }]) => [type, descriptor.editing] as const);
  return [
    '// Generated from the descriptions of the server by `npm run api:client`. Do not edit.',
    "import type { TaskEditing } from '../workflow-tasks.ts';",
    '',
    '/** The display names of the built-in model providers. */',
    'export const MODEL_PROVIDER_NAMES: Readonly<Record<string, string>> = {',
    ...membersOf(names),
    '};',
    '',
    '/** How steps of workflows are edited, by the type of their task. */',
    'export const WORKFLOW_TASKS: Readonly<Record<string, TaskEditing>> = {',
    ...membersOf(tasks),
    '};',
    '',
  ].join('\n');
}

function membersOf(values: readonly (readonly [name: string, value: unknown])[]): string[] {
  return values.map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},`);
}
