// What a run gives: text, in an object of its own, or JSON of the author's schema.
import type { Issue } from '../../../shared/issues.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { jsonBounds, readJson } from '../../lib/json-bounds.ts';
import { Refused } from '../../lib/rejection.ts';
import type { SchemaChecker } from '../../lib/schemas/index.ts';
import type { ModelFault } from '../models.ts';

/** What a function without `output` gives. */
export const TEXT_SCHEMA: JsonObject = {
  type: 'object',
  required: ['text'],
  additionalProperties: false,
  properties: { text: { type: 'string', description: 'The answer of the model, as Markdown.' } },
};

/** The member that takes the text of the answer; undefined: the answer is JSON. */
export function textMember(output: JsonObject | undefined): 'text' | 'markdown' | undefined {
  if (output === undefined) return 'text';
  return output['shape'] === 'markdown' ? 'markdown' : undefined;
}

/** As many as a JSON body may hold: the main thread reads so many in some 60 ms. */
const MOST_VALUES = 140_000;
const BOUNDS = jsonBounds({}, 512, MOST_VALUES);

export type ReadAnswer = { ok: true; value: Json } | { ok: false; fault: ModelFault };

/** Reads an answer as JSON of a schema, as it is written: nothing is repaired, coerced or defaulted. */
export async function readAnswer(text: string, schema: JsonObject, schemas: SchemaChecker): Promise<ReadAnswer> {
  const read = readJson(Buffer.from(text.trim()), BOUNDS);
  if (!read.ok && read.isTooMuch) return { ok: false, fault: tooMuch() };
  if (!read.ok || read.issues.length > 0) {
    return { ok: false, fault: invalid('The model did not answer with JSON; try again.', []) };
  }
  const issues = await issuesOf(read.value, schema, schemas);
  if (!Array.isArray(issues)) return { ok: false, fault: issues };
  if (issues.length === 0) return { ok: true, value: read.value };
  const detail = `The answer of the model does not match \`output\`${issues.length === 1 ? '' : ' in several places'}; try again.`;
  return {
    ok: false,
    fault: invalid(
      detail,
      issues.map((issue) => withoutAnswer(issue, schema)),
    ),
  };
}

/** What is wrong with the answer, or why it cannot be looked at: it takes too long, or nothing is free to do it. */
async function issuesOf(value: Json, schema: JsonObject, schemas: SchemaChecker): Promise<Issue[] | ModelFault> {
  try {
    return await schemas.compileSchema(schema, 'The answer').check(value, '');
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { kind: 'output_invalid', detail: error.message, rejection: error.rejection };
  }
}

const MOST_ISSUES = 5;

function invalid(detail: string, issues: readonly Issue[]): ModelFault {
  const because = 'output_invalid';
  const different = new Map(issues.map((issue) => [`${issue.pointer}\n${issue.detail}`, issue]));
  const reported = issues.length === 0 ? {} : { issues: [...different.values()].slice(0, MOST_ISSUES) };
  return { kind: because, detail, rejection: { reason: 'unavailable', because, detail, ...reported } };
}

function tooMuch(): ModelFault {
  const detail = `The model's answer contains more than ${MOST_VALUES} values; request less in \`output\`.`;
  return { kind: 'output_invalid', detail, rejection: { reason: 'conflict', kind: 'unworkable', detail } };
}

/** The answer was cut, and is no JSON for that alone. */
export function cutOff(maxOutputTokens: number): ModelFault {
  const detail = `The model's answer was cut off at ${maxOutputTokens} tokens, before its JSON was complete; raise \`config.max_output_tokens\`.`;
  return { kind: 'output_invalid', detail, rejection: { reason: 'conflict', kind: 'unworkable', detail } };
}

/** An issue in words of the schema alone: names of members that only the answer has are omitted. */
function withoutAnswer({ pointer, detail }: Issue, schema: JsonObject): Issue {
  const tokens = pointer.split('/').slice(1);
  const names = namesIn(schema);
  const unknown = tokens.findIndex((token) => !/^\d+$/.test(token) && !names.has(token));
  if (unknown === -1) return { pointer, detail };
  return {
    pointer: tokens
      .slice(0, unknown)
      .map((token) => `/${token}`)
      .join(''),
    detail: 'This field, or one below it, is not in the schema or does not match it.',
  };
}

/** Every name of a property that the schema has anywhere, as pointers write it. */
function namesIn(schema: Json): Set<string> {
  const names = new Set<string>();
  const visit = (value: Json): void => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (isJsonObject(value)) {
      for (const [name, held] of Object.entries(value)) {
        names.add(name.replaceAll('~', '~0').replaceAll('/', '~1'));
        visit(held);
      }
      if (Array.isArray(value['required'])) for (const name of value['required']) names.add(String(name));
    }
  };
  visit(schema);
  return names;
}
