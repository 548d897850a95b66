import { escapeToken } from '../../../../lib/json-pointer.ts';
import type { Task } from '../dsl.ts';
import { bare } from '../expressions/evaluated-text.ts';
import { listOf, object, text } from '../schema/build.ts';
import { FLOW_DIRECTIVE } from '../schema/values.ts';
import { shown, thenWords } from '../words.ts';
import type { PlacedTask, TaskDescriptor } from './descriptor.ts';

export interface SwitchTask extends Task {
  switch: readonly Readonly<Record<string, SwitchCase>>[];
}

interface SwitchCase {
  /** Absent: the default. */
  when?: string;
  then: string;
}

const CASE = object(
  { when: text('must be a jq expression, for example .amount > 100'), then: FLOW_DIRECTIVE },
  { required: ['then'], message: 'must be a case: { when, then }' },
);

export const SWITCH: TaskDescriptor<SwitchTask> = {
  form: (task) =>
    task({
      switch: {
        ...listOf(
          {
            type: 'object',
            says: 'must contain one case: its name, with `when` and `then` below it',
            minProperties: 1,
            maxProperties: 1,
            additionalProperties: CASE,
          },
          'must be a list with at least one case',
        ),
        minItems: 1,
      },
    }),
  editing: {
    insert: {
      about: 'Continue depending on conditions',
      name: 'choose',
      task: { switch: [{ matches: { when: '. != null', then: 'continue' } }, { otherwise: { then: 'continue' } }] },
    },
  },
  words: (task) =>
    casesOf({ task, pointer: '' })
      .map(({ name, when, then }) => `${when === undefined ? 'otherwise' : shown(name)} → ${thenWords(then)}`)
      .join('; '),
  directives: (placed) =>
    casesOf(placed).map(({ name, when, then, pointer }) => ({
      pointer: `${pointer}/then`,
      then,
      of: 'case',
      label: name,
      isDefault: when === undefined,
    })),
  continuations(task) {
    const cases = casesOf({ task, pointer: '' });
    const hasDefault = cases.some(({ when }) => when === undefined);
    return [...cases.map(({ then }) => then), ...(hasDefault ? [] : [task.then])];
  },
  check(placed, findings) {
    for (const { pointer } of casesOf(placed)
      .filter(({ when }) => when === undefined)
      .slice(1)) {
      const detail = 'A switch has one default, and this is a second case without `when`; add a condition.';
      findings.error(pointer, detail, 'key');
    }
  },
  data(placed, flow) {
    for (const { when, pointer } of casesOf(placed)) flow.result(when, `${pointer}/when`);
    return flow.input;
  },
  texts: (placed, { own }) => casesOf(placed).flatMap(({ when, pointer }) => bare(when, `${pointer}/when`, own)),
};

function casesOf({ task, pointer }: PlacedTask<SwitchTask>): (SwitchCase & { name: string; pointer: string })[] {
  return task.switch.flatMap((item, index) =>
    Object.entries(item).map(([name, one]) => ({
      ...one,
      name,
      pointer: `${pointer}/switch/${index}/${escapeToken(name)}`,
    })),
  );
}
