import { DEFINITION_TYPES } from '../../../../../shared/definition-types.ts';
import { runInput } from '../../../../../shared/run-input.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../../shared/json.ts';
import { isName } from '../../../../../shared/names.ts';
import { nearestName } from '../../../../../shared/nearest-name.ts';
import type { Findings } from '../../../../lib/yaml/index.ts';
import type { CallForm } from '../calls/form.ts';
import { TOOL_SCHEMA } from '../calls/tool.ts';
import { CALL_FORMS, CALL_KEYWORDS, callFormOf, REFUSED_CALLS } from '../calls/forms.ts';
import type { Task, WorkflowDocument } from '../dsl.ts';
import { templates } from '../expressions/evaluated-text.ts';
import { calledDefinition, refuseName, warnMissing } from '../called-definitions.ts';
import { refusedWholly, type Schema, type TaskForm, text } from '../schema/build.ts';
import { code } from '../schema/sentences.ts';
import { OPEN_OBJECT } from '../schema/values.ts';
import { shown } from '../words.ts';
import type { PlacedTask, TaskDescriptor } from './descriptor.ts';

export interface CallTask extends Task {
  /** `http`, `openapi`, `mcp`, `tool`, TYPE/NAME, or a function of the document. */
  call: string;
  with?: Json;
}

export const CALL: TaskDescriptor<CallTask> = {
  form,
  editing: {
    fields: [
      { label: 'Calls', pointer: '/call', kind: 'called', isRequired: true },
      { label: 'With (JSON)', pointer: '/with', kind: 'json' },
    ],
    schema: {
      alternatives: {
        at: '/$defs/callTask',
        without: ['CallAsyncAPI', 'CallGRPC', 'CallA2A'],
        add: [TOOL_SCHEMA],
      },
    },
  },
  words(task) {
    const { form: own, given } = formOf(task);
    return own === undefined ? `calls ${shown(task.call)}` : own.words(given);
  },
  reaches(task) {
    const definition = calledDefinition(task.call);
    if (definition !== undefined) return { definition };
    const { form: own, given } = formOf(task);
    const tool = own?.tool?.(given);
    return tool === undefined ? {} : { tool };
  },
  functionName: ({ call }) => call,
  checkReach({ task, pointer }, context, findings) {
    const { form: own, given } = formOf(task);
    if (own !== undefined) return own.checkReach(given, `${pointer}/with`, context, findings);
    const called = calledDefinition(task.call);
    if (called === undefined || context.definitionExists?.(called.type, called.name) !== false) return;
    warnMissing(`${pointer}/call`, called, context, findings);
  },
  checkCalled,
  data({ task, pointer }, flow) {
    const given = flow.value(runInput(task.with), `${pointer}/with`);
    const called = calledDefinition(task.call);
    return called === undefined ? undefined : flow.call(called.type, called.name, given, `${pointer}/with`);
  },
  texts: ({ task, pointer }, { own }) => templates(task.with, `${pointer}/with`, own),
  durations: (placed) => askForm(placed, (own, given, at) => own.durations?.(given, at)),
  openMembers: (placed) => askForm(placed, (own, given, at) => own.openMembers?.(given, at)),
  policies: (placed) => askForm(placed, (own, given, at) => own.policies?.(given, at)),
  secretHolders: (placed) => askForm(placed, (own, given, at) => own.secretHolders?.(given, at)),
};

/** The form that a call has by its keyword, and its `with` as far as that is an object. */
function formOf({ call, with: given }: CallTask): { form: CallForm | undefined; given: JsonObject } {
  return { form: callFormOf(call), given: isJsonObject(given) ? given : {} };
}

/** What a called definition or a function is given may look like anything: only forms of their own say something of it. */
function askForm<Found>(
  { task, pointer }: PlacedTask<CallTask>,
  ask: (form: CallForm, given: JsonObject, at: string) => readonly Found[] | undefined,
): Found[] {
  const { form: own, given } = formOf(task);
  return own === undefined ? [] : [...(ask(own, given, `${pointer}/with`) ?? [])];
}

function form(task: TaskForm): Schema {
  const call = text('must name what to call: http, openapi, mcp, tool, TYPE/NAME or a function of `use.functions`');
  const withForm = (given: Schema, required: readonly string[] = []): Schema =>
    task({ call, with: given }, ['call', ...required]);
  const ofDefinitionOrFunction: Schema = {
    if: calls({ pattern: `^(?:${DEFINITION_TYPES.join('|')})/` }),
    then: withForm({ says: 'must be the input of what is called' }),
    else: withForm({ ...OPEN_OBJECT, says: 'must be an object of named values' }),
  };
  const refusedOr = Object.entries(REFUSED_CALLS).reduceRight<Schema>(
    (rest, [name, message]) => ({
      if: calls({ const: name }),
      then: { properties: { call: refusedWholly(`\`call: ${name}\` ${message}.`) } },
      else: rest,
    }),
    ofDefinitionOrFunction,
  );
  return Object.entries(CALL_FORMS).reduceRight<Schema>(
    (rest, [name, { with: given }]) => ({
      if: calls({ const: name }),
      then: withForm(given, ['with']),
      else: rest,
    }),
    refusedOr,
  );
}

function calls(name: Schema): Schema {
  return { properties: { call: { type: 'string', ...name } } };
}

function checkCalled(
  { task: { call }, pointer }: PlacedTask<CallTask>,
  document: WorkflowDocument,
  findings: Findings,
): void {
  const functions = document.use?.functions ?? {};
  if (CALL_KEYWORDS.includes(call) || Object.hasOwn(functions, call)) return;
  const at = `${pointer}/call`;
  const called = calledDefinition(call);
  if (called !== undefined) {
    if (!isName(called.name)) refuseName(at, called.name, findings);
    return;
  }
  if (call.includes('@') || call.includes('://')) {
    const instead = 'copy it into `use.functions`, or make it a definition and write `call: TYPE/NAME`';
    findings.error(at, `Functions from catalogs and URLs are not supported: nothing is fetched; ${instead}.`);
    return;
  }
  if (call.includes('/')) {
    const types = DEFINITION_TYPES.join(', ');
    const near = nearestName(call.slice(0, call.indexOf('/')), DEFINITION_TYPES);
    const hint = near === undefined ? `write one of ${types} before the \`/\`.` : `did you mean ${code(near)}?`;
    findings.error(
      at,
      `${code(call)} does not begin with a type of definition; ${hint} (To call a tool, use \`call: tool\`.)`,
    );
    return;
  }
  findings.error(at, () => {
    const near = nearestName(call, [...Object.keys(functions), ...CALL_KEYWORDS]);
    const hint =
      near === undefined ? 'add it there, or call a definition as TYPE/NAME.' : `did you mean ${code(near)}?`;
    return `\`use.functions\` has no entry ${code(call)}; ${hint}`;
  });
}
