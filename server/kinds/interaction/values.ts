// Works out the texts and arguments of a document: Liquid for texts, jq for what is wholly an expression.
import type { Json, JsonObject } from '../../../shared/json.ts';
import { jsonBytes } from '../../lib/canonical-json.ts';
import { type Expressions, wholeExpression } from '../../lib/jq/index.ts';
import type { PlaybookKey } from '../../kernel/log/index.ts';
import type { Templates } from '../../lib/templates/index.ts';
import { KIB } from '../../../shared/product.ts';
import type { Evaluated } from '../conversing.ts';
import type { VariableName } from './texts.ts';

export type TemplateVariables = Readonly<Partial<Record<VariableName, Json>>>;

export interface RenderContext {
  input: Json;
  names: TemplateVariables;
  /** Milliseconds since 1970: what `now` is. */
  now: number;
  /** The playbook whose turn it takes. */
  playbookKey: PlaybookKey;
}

export interface Values {
  text(where: string, text: string, scope: RenderContext): Promise<Evaluated<string>>;
  /** @param over what `.` is */
  expression(where: string, text: string, over: Json, scope: RenderContext): Promise<Evaluated<Json>>;
  arguments(where: string, given: JsonObject | undefined, scope: RenderContext): Promise<Evaluated<JsonObject>>;
}

const MOST_ARGUMENT_BYTES = 256 * KIB;

export function createValues(expressions: Expressions, templates: Templates): Values {
  const text: Values['text'] = async (where, template, { input, names, now, playbookKey }) => {
    const rendered = await templates.render(template, { input, ...names }, now, playbookKey);
    if (rendered.ok) return { ok: true, value: rendered.text };
    return { ok: false, detail: `\`${where}\` cannot be rendered. ${rendered.detail}` };
  };
  const expression: Values['expression'] = async (where, whole, over, { names, now, playbookKey }) => {
    const evaluated = await expressions.evaluate(wholeExpression(whole) ?? whole, over, names, now, playbookKey);
    if (evaluated.ok) return evaluated;
    return { ok: false, detail: `\`${where}\` cannot be evaluated. ${evaluated.detail}` };
  };
  async function value(where: string, given: Json, scope: RenderContext): Promise<Evaluated<Json>> {
    if (typeof given === 'string') {
      return wholeExpression(given) === undefined
        ? text(where, given, scope)
        : expression(where, given, scope.input, scope);
    }
    if (typeof given !== 'object' || given === null) return { ok: true, value: given };
    const isList = Array.isArray(given);
    const members: [string, Json][] = [];
    for (const [name, member] of Object.entries(given)) {
      const worked = await value(isList ? `${where}[${name}]` : `${where}.${name}`, member, scope);
      if (!worked.ok) return worked;
      members.push([name, worked.value]);
    }
    return { ok: true, value: isList ? members.map(([, member]) => member) : Object.fromEntries(members) };
  }
  return {
    text,
    expression,
    async arguments(where, given, scope) {
      const worked = await value(where, given ?? {}, scope);
      if (!worked.ok) return worked;
      const bytes = jsonBytes(worked.value);
      if (bytes <= MOST_ARGUMENT_BYTES) return { ok: true, value: worked.value as JsonObject };
      const detail = `\`${where}\` has ${bytes} bytes as JSON, and the maximum for a tool is ${MOST_ARGUMENT_BYTES}.`;
      return { ok: false, detail };
    },
  };
}
