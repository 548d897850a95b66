// From what ajv found to issues in the words of the schema: the field, its description and examples, the rule.
import type { ErrorObject } from 'ajv';
import type { Issue } from '../../../shared/issues.ts';
import { MOST_ISSUES, standingFor } from '../bounded-issues.ts';
import { boundedPointer, escapeToken, tokensOf } from '../json-pointer.ts';
import { errorsToReport } from './branches.ts';
import { ruleOf } from './rules.ts';
import { annotation, fieldWords, shownName } from './wording.ts';

export interface Wording {
  /** Where the checked value stands, as a JSON Pointer. */
  pointer: string;
  /** What the value itself is called, for example "The input". */
  root: string;
  /** Whether a missing field is reported at the object that lacks it or at the path where it should be. */
  missingAt: 'holder' | 'field';
  /** The schema that was checked against. */
  schema: object;
}

/** At most 50 issues, each once, in the order of the schema, and one that says how many more there are. */
export function issuesOf(errors: readonly ErrorObject[], value: unknown, wording: Wording): Issue[] {
  const issues = new Map<string, Issue>();
  // Making words of every one would take as long as they are many: past the first, broken rules are counted, each once.
  const broken = new Set<string>();
  let more = 0;
  for (const error of errorsToReport(errors, wording.schema)) {
    const rule = `${error.schemaPath}\n${error.instancePath}\n${memberOf(error) ?? ''}`;
    if (broken.size === broken.add(rule).size) continue;
    if (issues.size > MOST_ISSUES) {
      more += 1;
      continue;
    }
    const issue = issueOf(error, value, wording);
    issues.set(`${issue.pointer}\n${issue.detail}`, issue);
  }
  const list = [...issues.values()];
  const last = list[MOST_ISSUES];
  return last === undefined || more === 0 ? list : list.with(MOST_ISSUES, standingFor(last, more + 1));
}

/** The member that a rule about several of them was broken by. */
function memberOf({ params, propertyName }: ErrorObject): string | undefined {
  const { missingProperty, additionalProperty, unevaluatedProperty } = params as Record<string, string | undefined>;
  return missingProperty ?? additionalProperty ?? unevaluatedProperty ?? propertyName;
}

function issueOf(error: ErrorObject, value: unknown, { pointer, root, missingAt }: Wording): Issue {
  const location = placeOf(error, missingAt);
  const holder = fieldWords(tokensOf(error.instancePath), value, root);
  const words = error.propertyName === undefined ? holder : nameWords(error.propertyName, error.instancePath, holder);
  return {
    pointer: boundedPointer(pointer + error.instancePath + (location === undefined ? '' : `/${escapeToken(location)}`)),
    detail: `${words.charAt(0).toUpperCase()}${words.slice(1)}${annotationOf(error)} ${ruleOf(error)}.`,
  };
}

function nameWords(name: string, instancePath: string, holder: string): string {
  return `the field name ${shownName(name)}${instancePath === '' ? '' : ` in ${holder}`}`;
}

/** The member below the checked object that an issue is about, where it is not the object itself. */
function placeOf({ keyword, params, propertyName }: ErrorObject, missingAt: Wording['missingAt']): string | undefined {
  const given = params as Record<string, unknown>;
  switch (keyword) {
    case 'additionalProperties':
      return String(given['additionalProperty']);
    case 'unevaluatedProperties':
      return String(given['unevaluatedProperty']);
    case 'required':
      return missingAt === 'field' ? String(given['missingProperty']) : propertyName;
    default:
      return propertyName;
  }
}

/** The description and examples that the schema gives the field, in brackets. */
function annotationOf({ parentSchema, keyword }: ErrorObject): string {
  // About a field that lacks or does not know a member, the member's own words are said with the rule.
  const isAboutMember = ['required', 'additionalProperties', 'unevaluatedProperties'].includes(keyword);
  return isAboutMember ? '' : annotation(parentSchema);
}
