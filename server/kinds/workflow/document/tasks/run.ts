import type { Json } from '../../../../../shared/json.ts';
import { isName } from '../../../../../shared/names.ts';
import type { Task } from '../dsl.ts';
import { templates } from '../expressions/evaluated-text.ts';
import { refuseName, warnMissing } from '../called-definitions.ts';
import { byKey, object, oneOfTexts, refused, refusedWholly, type Schema, text } from '../schema/build.ts';
import { code } from '../schema/sentences.ts';
import { ANYTHING, BOOLEAN } from '../schema/values.ts';
import type { TaskDescriptor } from './descriptor.ts';

export interface RunTask extends Task {
  run: { workflow: { name: string; namespace?: string; version?: string; input?: Json }; await?: boolean };
}

const NO_PROCESS =
  'is not supported: workflows do not start processes; write a computation and `call: computation/NAME`, or use a tool server';

const MEMBERS = { await: BOOLEAN, return: oneOfTexts(['stdout', 'stderr', 'code', 'all', 'none']) };

const PROCESSES = Object.fromEntries(
  ['container', 'script', 'shell'].map((name) => [name, refusedWholly(`\`run: ${name}\` ${NO_PROCESS}.`)]),
);

const FORM: Schema = {
  type: 'object',
  says: 'must be { workflow: { name } }',
  ...byKey(
    {
      ...Object.fromEntries(Object.keys(PROCESSES).map((name) => [name, { properties: PROCESSES }])),
      workflow: object({
        workflow: object(
          { namespace: text(), name: text(), version: text('must be a string such as latest'), input: ANYTHING },
          { required: ['name'], message: 'must be { name, input }' },
        ),
        ...MEMBERS,
      }),
    },
    refused('must be { workflow: { name } }'),
  ),
};

export const RUN: TaskDescriptor<RunTask> = {
  form: (task) => task({ run: FORM }),
  editing: {
    fields: [{ label: 'Input (JSON)', pointer: '/run/workflow/input', kind: 'json' }],
    schema: {
      alternatives: {
        at: '/$defs/runTask/allOf/1/properties/run',
        without: ['RunContainer', 'RunScript', 'RunShell'],
      },
      remove: ['/$defs/runTask/allOf/1/properties/run/properties/return'],
    },
  },
  words: ({ run }) => `runs \`workflow/${run.workflow.name}\`${run.await === false ? ', without waiting for it' : ''}`,
  reaches: ({ run }) => ({ definition: { type: 'workflow', name: run.workflow.name } }),
  checkReach({ task, pointer }, context, findings) {
    const { definitionExists, playbook } = context;
    const { name, namespace, version } = task.run.workflow;
    const at = `${pointer}/run/workflow`;
    if (definitionExists?.('workflow', name) === false) {
      warnMissing(`${at}/name`, { type: 'workflow', name }, context, findings);
    }
    if (namespace !== undefined && playbook !== undefined && namespace !== playbook) {
      findings.warn(
        `${at}/namespace`,
        `The workflow is looked for in this playbook, ${code(playbook)}, and \`namespace\` is ignored; remove it.`,
      );
    }
    if (version !== undefined && version !== 'latest') {
      findings.warn(`${at}/version`, 'The latest version runs, and `version` is ignored; remove it.');
    }
  },
  checkCalled({ task, pointer }, _document, findings) {
    const { name } = task.run.workflow;
    if (!isName(name)) refuseName(`${pointer}/run/workflow/name`, name, findings);
  },
  openMembers: ({ task, pointer }) => [{ value: task.run, known: ['workflow', 'await'], pointer: `${pointer}/run` }],
  data({ task, pointer }, flow) {
    const at = `${pointer}/run/workflow/input`;
    const { name, input = {} } = task.run.workflow;
    const output = flow.call('workflow', name, flow.value(input, at), at);
    return task.run.await === false ? flow.input : output;
  },
  texts: ({ task, pointer }, { own }) => templates(task.run.workflow.input, `${pointer}/run/workflow/input`, own),
};
