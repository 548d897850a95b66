// What can be known of a text before it is rendered.
import type { Liquid, Template } from 'liquidjs';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { nearestName } from '../../../shared/nearest-name.ts';

export interface TemplateIssue {
  /** From 1, in the text. */
  line: number;
  column: number;
  detail: string;
}

export interface TemplateCheck {
  issues: TemplateIssue[];
  warnings: TemplateIssue[];
}

/** The names a text may use, each with the schema of its value where one is known. */
export type TemplateVariables = Readonly<Record<string, JsonObject | undefined>>;

const MOST_TOLD = 20;
/** Tags that ask whether something is there before what is in them prints it. */
const CONDITIONS = new Set(['if', 'unless', 'case']);

export function checkParsed(liquid: Liquid, templates: Template[], variables: TemplateVariables): TemplateCheck {
  const found: TemplateCheck = { issues: [], warnings: [] };
  const { globals } = liquid.analyzeSync(templates);
  const names = Object.keys(variables);
  for (const [name, uses] of Object.entries(globals)) {
    if (names.includes(name)) continue;
    const near = nearestName(name, names);
    const hint = near === undefined ? `it has ${names.map(quoted).join(', ')}` : `did you mean \`${near}\`?`;
    for (const { location } of uses) {
      report(found.issues, location, `Unknown variable \`${name.slice(0, 60)}\`; ${hint}.`);
    }
  }
  for (const { path, location } of printedPlaces(templates)) {
    const [root = '', ...members] = path;
    const schema = Object.hasOwn(variables, root) ? variables[root] : undefined;
    const doubt = schema === undefined ? undefined : doubtOf(schema, root, members);
    if (doubt !== undefined) report(doubt.isSure ? found.issues : found.warnings, location, doubt.detail);
  }
  return found;
}

function report(list: TemplateIssue[], { row, col }: { row: number; col: number }, detail: string): void {
  if (list.length < MOST_TOLD && !list.some((one) => one.detail === detail)) {
    list.push({ line: row, column: col, detail });
  }
}

interface PrintedPlace {
  path: string[];
  location: { row: number; col: number };
}

/** What is printed as it is: an output that does not begin with `default`, outside of every condition. */
function* printedPlaces(templates: Iterable<Template>): Generator<PrintedPlace> {
  for (const template of templates) {
    const value = outputOf(template);
    if (value !== undefined && value.filters[0]?.name !== 'default') {
      const path = pathOf(value.initial.postfix);
      const [row, col] = template.token.getPosition() as [number, number];
      if (path !== undefined) yield { path, location: { row, col } };
    }
    const { name } = template as { name?: unknown };
    if (CONDITIONS.has(String(name)) || template.children === undefined) continue;
    // Synchronous, so that the children come with its end.
    const children = template.children(false, true);
    for (let step = children.next(); ; step = children.next()) {
      if (step.done !== true) continue;
      yield* printedPlaces(step.value);
      break;
    }
  }
}

interface OutputValue {
  filters: readonly { name: string }[];
  initial: { postfix: readonly unknown[] };
}

function outputOf(template: Template): OutputValue | undefined {
  const { value } = template as { value?: unknown };
  const isOutput = !('name' in template) && typeof value === 'object' && value !== null && 'initial' in value;
  return isOutput ? (value as OutputValue) : undefined;
}

/** The names of `input.a.b`; undefined for anything else. */
function pathOf(postfix: readonly unknown[]): string[] | undefined {
  const [token, ...more] = postfix;
  const { props, variable } = (token ?? {}) as { props?: { content?: unknown }[]; variable?: unknown };
  if (more.length > 0 || props === undefined || variable !== undefined) return undefined;
  const names = props.map(({ content }) => content);
  return names.every((name) => typeof name === 'string') ? names : undefined;
}

interface Doubt {
  isSure: boolean;
  detail: string;
}

/** Why a value of the schema may lack the member, or cannot have it. */
function doubtOf(schema: JsonObject, root: string, members: readonly string[]): Doubt | undefined {
  let at: Json = schema;
  let path = root;
  for (const member of members) {
    if (!isJsonObject(at) || hasOtherRules(at)) return undefined;
    const { properties, required, additionalProperties }: JsonObject = at;
    if (!isJsonObject(properties)) return undefined;
    path += `.${member}`;
    if (!Object.hasOwn(properties, member)) {
      const near = nearestName(member, Object.keys(properties));
      const hint = near === undefined ? '' : `; did you mean \`${near}\`?`;
      if (additionalProperties === false) {
        return { isSure: true, detail: `The schema has no field \`${path}\`${hint || '.'}` };
      }
      return {
        isSure: false,
        detail: `The schema has no field \`${path}\`${hint || '; if it is missing, the text cannot be rendered.'}`,
      };
    }
    if (!Array.isArray(required) || !required.includes(member)) {
      const detail = `\`${path}\` is optional; if it is missing, the text cannot be rendered. Write \`{{ ${path} | default: "..." }}\`, with \`default\` before any other filter.`;
      return { isSure: false, detail };
    }
    at = properties[member] ?? {};
  }
  return undefined;
}

/** Schemas that say more of their fields than `properties` does. */
function hasOtherRules(schema: JsonObject): boolean {
  return ['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'patternProperties'].some((keyword) => keyword in schema);
}

function quoted(name: string): string {
  return `\`${name}\``;
}
