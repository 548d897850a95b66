// Whether a document has the shape of the DSL, and what is wrong where it has not: one sentence for each mistake.
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { escapeToken, tokensOf } from '../../../lib/json-pointer.ts';
import {
  createFindings,
  MOST_FINDINGS,
  placesIn,
  readSource,
  type SourceJob,
  type SourceReading,
} from '../../../lib/yaml/index.ts';
import { meantKey, sentenceOf } from './schema/sentences.ts';
import { createValidator } from './schema/validator.ts';

export interface ShapeIssue {
  /** In the document. */
  pointer: string;
  detail: string;
  /** Whether the name of a member is what is wrong, or its value. */
  at: 'key' | 'value';
}

/** At most 20 issues, in the order of the document's schema; what follows from another mistake is left out. */
export function shapeIssues(value: unknown): ShapeIssue[] {
  const validate = validator();
  if (validate(value)) return [];
  const errors = validate.errors ?? [];
  validate.errors = null;
  const isConsequence = consequencesIn(errors);
  const issues = new Map<string, ShapeIssue>();
  for (const error of errors) {
    if (isConsequence(error)) continue;
    const issue = issueOf(error, value);
    // Of one value the first mistake is reported, of an object each missing member.
    const key = MISSING.has(error.keyword) ? `${issue.pointer}\n${issue.detail}` : issue.pointer;
    if (!issues.has(key)) issues.set(key, issue);
    if (issues.size === MOST_FINDINGS) break;
  }
  return [...issues.values()];
}

const MISSING: ReadonlySet<string> = new Set(['required', 'dependentRequired']);

/** Whether an error only says what another one says better. */
function consequencesIn(errors: readonly ErrorObject[]): (error: ErrorObject) => boolean {
  /** By the pointer of an object: the members that it lacks under their own names. */
  const meant = new Map<string, Set<unknown>>();
  const crowded = new Set<string>();
  for (const error of errors) {
    if (error.keyword === 'maxProperties') crowded.add(error.instancePath);
    const key = meantKey(error);
    if (key === undefined) continue;
    const keys = meant.get(error.instancePath) ?? new Set();
    meant.set(error.instancePath, keys.add(key));
  }
  return ({ keyword, instancePath, params }) => {
    // That a form was not taken says nothing that its own errors do not say.
    if (keyword === 'if') return true;
    if (keyword === 'required' && meant.get(instancePath)?.has(params['missingProperty']) === true) return true;
    // An item with several names is mostly one that is not indented: what stands in it was meant as something else.
    return crowded.size > 0 && holdersOf(instancePath).some((holder) => crowded.has(holder));
  };
}

/** The pointers above a pointer. */
function holdersOf(pointer: string): string[] {
  const tokens = pointer.split('/').slice(0, -1);
  return tokens.map((_, count) => tokens.slice(0, count + 1).join('/'));
}

let compiled: ValidateFunction | undefined;

/** Made when the first workflow is checked: a worker that checks none need not wait for it. */
function validator(): ValidateFunction {
  return (compiled ??= createValidator());
}

function issueOf(error: ErrorObject, value: unknown): ShapeIssue {
  const { keyword, instancePath, params } = error;
  const given = params as Record<string, unknown>;
  const unknown = keyword === 'additionalProperties' ? String(given['additionalProperty']) : undefined;
  const pointer = unknown === undefined ? instancePath : `${instancePath}/${escapeToken(unknown)}`;
  const isAboutKey = unknown !== undefined || keyword === 'not';
  return { pointer, detail: sentenceOf(error, tokensOf(pointer), value), at: isAboutKey ? 'key' : 'value' };
}

/** Reads a workflow and checks its shape. */
export function readWorkflow(source: SourceJob): SourceReading {
  const reading = readSource(source);
  if (!reading.ok) return reading;
  const findings = createFindings(placesIn(reading.positions));
  for (const { pointer, detail, at } of shapeIssues(reading.value)) findings.error(pointer, detail, at);
  return findings.issues.length === 0 ? reading : { ok: false, issues: [...findings.issues] };
}
