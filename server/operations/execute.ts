// Runs operations for the interfaces: checks the permission, then the fields, then calls the handler. Invalid fields are
// reported only if the path names something that exists and is not retired; the handler checks that again in its
// transaction.
import type { Issue } from '../../shared/issues.ts';
import type { JsonObject } from '../../shared/json.ts';
import { invalidInput, lacksPermission } from '../lib/rejection.ts';
import { compileOwnSchema } from '../lib/schemas/index.ts';
import type { Call, Operation } from './operation.ts';
import type { UploadBody, Uploaded } from './upload.ts';

/** An operation with the checks of its path and fields compiled once. */
export interface Callable {
  operation: Operation;
  /** @throws Refused `forbidden` if the caller has none of the permissions. */
  authorize(call: Call, path: Readonly<Record<string, string>>): void;
  /** The issues of the path parameters. */
  checkPath(path: unknown): readonly Issue[];
  /** The issues of a query string or body, at JSON Pointers below its root. */
  checkFields(fields: JsonObject): readonly Issue[];
  /**
   * Checks the fields and runs the operation.
   * @param issues issues that the interface found in the fields while parsing them
   * @throws Refused
   */
  execute(
    call: Call,
    path: Readonly<Record<string, string>>,
    fields: JsonObject,
    issues?: readonly Issue[],
  ): Promise<unknown>;
  /** Runs an upload, whose body is read only if the path names something that exists. @throws Refused */
  receive(call: Call, path: Readonly<Record<string, string>>, body: UploadBody): Promise<Uploaded>;
}

export function makeCallable(operation: Operation): Callable {
  const check = compileOwnSchema(operation.fields);
  const checkNames = compileOwnSchema(operation.path);
  const checkFields = (fields: JsonObject): readonly Issue[] => {
    const issues = check(fields, '');
    return issues.length > 0 ? issues : (operation.checksFields?.(fields) ?? []);
  };
  return {
    operation,
    checkPath: (path) => checkNames(path, ''),
    checkFields,
    authorize({ caller, org }, path) {
      const { permissions } = operation;
      if (permissions.length === 0) return;
      if (permissions.some((permission) => caller.may(permission, org, path['playbook']))) return;
      throw lacksPermission(
        `${operation.name} needs the permission ${permissions.join(' or ')} here, and the caller does not have it.`,
      );
    },
    async execute(call, path, fields, issues = []) {
      if (operation.upload !== undefined) throw new Error(`${operation.name} is an upload.`);
      const found = issues.length > 0 ? issues : checkFields(fields);
      if (found.length > 0) {
        await operation.precheck?.(call, path, fields);
        throw invalidInput(found);
      }
      return operation.handle(call, { ...fields, ...path });
    },
    async receive(call, path, body) {
      if (operation.upload === undefined) throw new Error(`${operation.name} is not an upload.`);
      await operation.precheck?.(call, path, {});
      return operation.handle(call, path, body);
    },
  };
}
