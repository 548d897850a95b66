import type { ErrorObject } from 'ajv';
import { isJsonObject } from '../../../shared/json.ts';

/** What to report of a choice, given what each of its branches that did not fit reported. */
export function chooseBranch(choice: ErrorObject, branches: readonly ErrorObject[][]): ErrorObject[] {
  const [first] = branches;
  const fitsSeveral = Array.isArray((choice.params as Record<string, unknown>)['passingSchemas']);
  if (first === undefined || fitsSeveral) return [choice];
  const meant = branches.filter((branch) => refusalOf(branch, choice) === undefined);
  if (meant.length === 0) return [alternatives(choice, branches)];
  return meant.length === 1 ? (meant[0] ?? [choice]) : severalMeant(choice, meant);
}

/** The error that says the value is plainly of another form: another type, or another constant that distinguishes forms. */
function refusalOf(branch: readonly ErrorObject[], choice: ErrorObject): ErrorObject | undefined {
  return branch.find(({ keyword, instancePath, params }) => {
    const { allowedValues } = params as { allowedValues?: unknown[] };
    if (instancePath === choice.instancePath) return ['type', 'const', 'enum', 'alternatives'].includes(keyword);
    if (instancePath.slice(choice.instancePath.length + 1).includes('/')) return false;
    return keyword === 'const' || (keyword === 'enum' && allowedValues?.length === 1);
  });
}

/** One rule that would have identified a form: the types and the values at the deepest location that refused. */
function alternatives(choice: ErrorObject, branches: readonly ErrorObject[][]): ErrorObject {
  const refusals = branches.map((branch) => refusalOf(branch, choice)).filter((error) => error !== undefined);
  const deepest = refusals.reduce((a, b) => (b.instancePath.length > a.instancePath.length ? b : a));
  const locations = new Set(refusals.map(({ instancePath }) => instancePath));
  // Forms that are distinguished by different fields have no rule in common.
  if (locations.size > 2 || (locations.size === 2 && !locations.has(choice.instancePath))) return choice;
  const types: unknown[] = [];
  const values: unknown[] = [];
  for (const { instancePath, params } of refusals) {
    if (instancePath !== deepest.instancePath) continue;
    const given = params as Record<string, unknown>;
    if ('type' in given) types.push(given['type']);
    if (Array.isArray(given['types'])) types.push(...(given['types'] as unknown[]));
    if ('allowedValue' in given) values.push(given['allowedValue']);
    for (const key of ['allowedValues', 'values'])
      if (Array.isArray(given[key])) values.push(...(given[key] as unknown[]));
  }
  const { parentSchema } = deepest.instancePath === choice.instancePath ? choice : deepest;
  return {
    ...choice,
    keyword: 'alternatives',
    instancePath: deepest.instancePath,
    params: { types: [...new Set(types.flat())], values: [...new Set(values)] },
    ...(parentSchema === undefined ? {} : { parentSchema }),
  };
}

/** The value could be meant as several forms. */
function severalMeant(choice: ErrorObject, meant: readonly ErrorObject[][]): ErrorObject[] {
  const [first = []] = meant;
  const shared = first.find(
    (error) =>
      error.keyword === 'required' && meant.every((branch) => branch.some((other) => isSameLack(error, other))),
  );
  if (shared !== undefined) return [shared];
  const lacks = meant.map((branch) =>
    branch.length === 1 && branch[0]?.keyword === 'required' ? branch[0] : undefined,
  );
  if (lacks.every((error) => error?.instancePath === choice.instancePath)) {
    return [{ ...choice, keyword: 'requiredAny', params: { names: lacks.map((error) => missingOf(error)) } }];
  }
  const least = Math.min(...meant.map(({ length }) => length));
  const nearest = meant.filter(({ length }) => length === least);
  // One that has all its own fields, and one of them wrong, was meant rather than one that lacks a field.
  const whole = nearest.filter((branch) => !branch.some((error) => isOfMembers(error, choice)));
  const [only, ...others] = whole.length === 0 ? nearest : whole;
  return only === undefined || others.length > 0 ? [choice] : only;
}

/** Whether the value itself lacks a member of the form, or has one that the form does not know. */
function isOfMembers({ keyword, instancePath }: ErrorObject, choice: ErrorObject): boolean {
  return (
    instancePath === choice.instancePath &&
    ['required', 'additionalProperties', 'unevaluatedProperties'].includes(keyword)
  );
}

function isSameLack(error: ErrorObject, other: ErrorObject): boolean {
  return (
    other.keyword === 'required' && other.instancePath === error.instancePath && missingOf(other) === missingOf(error)
  );
}

function missingOf(error: ErrorObject | undefined): unknown {
  const params: unknown = error?.params;
  return isJsonObject(params) ? params['missingProperty'] : undefined;
}
