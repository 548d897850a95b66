// ajv reports the errors of every branch of a choice, then the choice. One who reads wants what is wrong with the
// branch that was meant, or one sentence about all of them.
//
// 1. An error of a choice follows the errors of its branches at once: they are the end of what was reported so far.
// 2. Each error is looked at once for each choice around it, so that the time grows with their number.
import type { ErrorObject } from 'ajv';
import { isJsonObject, type JsonObject } from '../../../shared/json.ts';
import { tokensOf } from '../json-pointer.ts';
import { chooseBranch } from './choose-branch.ts';
import { targetOf } from './references.ts';

/** The errors worth telling, in their order. `root` is the schema that reported them. */
export function errorsToReport(errors: readonly ErrorObject[], root: object): ErrorObject[] {
  const reported: ErrorObject[] = [];
  const reachOf = makeReach(root);
  for (const error of errors) {
    switch (error.keyword) {
      case 'anyOf':
      case 'oneOf': {
        const branches = takeBranches(reported, error, reachOf);
        reported.push(...chooseBranch(error, branches));
        break;
      }
      case 'contains':
        takeBranches(reported, error, reachOf);
        reported.push(error);
        break;
      // What is wrong was said by the branch that applied, and of the name itself.
      case 'if':
      case 'propertyNames':
        break;
      default:
        reported.push(error);
    }
  }
  return reported.length === 0 ? errors.slice(0, 1) : reported;
}

/** What a schema is made of, with what stands behind its references. */
interface Reach {
  parts: ReadonlySet<unknown>;
  references: readonly string[];
}

/** Takes the errors of a choice's branches from the end of what is reported, by branch. */
function takeBranches(
  reported: ErrorObject[],
  choice: ErrorObject,
  reachOf: (schema: unknown) => Reach,
): ErrorObject[][] {
  const schemas: unknown[] = Array.isArray(choice.schema) ? (choice.schema as unknown[]) : [choice.schema];
  const found: ErrorObject[][] = schemas.map(() => []);
  let last = schemas.length - 1;
  for (let error = reported.at(-1); error !== undefined && last >= 0; error = reported.at(-1)) {
    const { instancePath } = error;
    if (instancePath !== choice.instancePath && !instancePath.startsWith(`${choice.instancePath}/`)) break;
    let branch = last;
    // Errors come in the order of the branches, so that the branch of an error is not behind that of the next.
    while (branch >= 0 && !isOf(error, choice, branch, reachOf(schemas[branch]))) branch -= 1;
    if (branch < 0) break;
    found[branch]?.push(error);
    last = branch;
    reported.pop();
  }
  return found.map((branch) => branch.toReversed()).filter((branch) => branch.length > 0);
}

function isOf({ schemaPath, parentSchema }: ErrorObject, choice: ErrorObject, branch: number, reach: Reach): boolean {
  if (isJsonObject(parentSchema) && reach.parts.has(parentSchema)) return true;
  const path = Array.isArray(choice.schema) ? `${choice.schemaPath}/${branch}` : choice.schemaPath;
  return [path, ...reach.references].some((prefix) => schemaPath.startsWith(`${prefix}/`));
}

function makeReach(root: object): (schema: unknown) => Reach {
  const known = new Map<unknown, Reach>();
  return (schema) => {
    const found = known.get(schema);
    if (found !== undefined) return found;
    const references = new Set<string>();
    const parts = new Set<unknown>();
    const waiting: unknown[] = [schema];
    while (waiting.length > 0) {
      const next = waiting.pop();
      if (typeof next !== 'object' || next === null || parts.has(next)) continue;
      parts.add(next);
      const reference = isJsonObject(next) ? next['$ref'] : undefined;
      if (typeof reference === 'string') {
        references.add(reference);
        waiting.push(at(root, reference));
      }
      for (const child of Object.values(next)) waiting.push(child);
    }
    const reach = { parts, references: [...references] };
    known.set(schema, reach);
    return reach;
  };
}

function at(root: object, reference: string): unknown {
  let place: unknown = root;
  for (const token of tokensOf(targetOf(reference) ?? '')) {
    const isHeld = typeof place === 'object' && place !== null && Object.hasOwn(place, token);
    place = isHeld ? (place as JsonObject)[token] : undefined;
  }
  return place;
}
