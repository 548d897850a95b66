// Errors of the DSL: RFC 7807 problem details with the standard's types.
import type { Issue } from '../../../../shared/issues.ts';
import type { JsonObject } from '../../../../shared/json.ts';
import { harmless } from '../../../lib/harmless.ts';

/** The standard's error types, by their last word. */
const STANDARD_ERRORS = [
  'configuration',
  'validation',
  'expression',
  'authentication',
  'authorization',
  'timeout',
  'communication',
  'runtime',
] as const;
export type StandardError = (typeof STANDARD_ERRORS)[number];

/** Each standard error is known under its name after any of these; ours are raised with the first. */
const PREFIXES = [
  'https://serverlessworkflow.io/spec/1.0.0/errors/',
  'https://serverlessworkflow.io/dsl/errors/types/',
  'https://open-workflow-specification.org/spec/1.0.0/errors/',
  'https://open-workflow-specification.org/dsl/errors/types/',
] as const;

const TITLES: Readonly<Record<StandardError, string>> = {
  configuration: 'The workflow or the service is not configured for this',
  validation: 'A value does not match its schema',
  expression: 'An expression failed',
  authentication: 'The caller could not be authenticated',
  authorization: 'The workflow is not allowed to do this',
  timeout: 'The time limit was exceeded',
  communication: 'A call was interrupted',
  runtime: 'An error occurred while the workflow was running',
};

/** An error as expressions and catches see it. */
export interface WorkflowError extends JsonObject {
  type: string;
  status: number;
}

/** A DSL error on its way up to a catch. */
export class Fault extends Error {
  readonly error: WorkflowError;
  /** For `validation`: what does not fit, at the pointers the step saw. */
  readonly issues: readonly Issue[] | undefined;
  /** The error was meant by the author: a `raise`. */
  readonly isRaised: boolean;

  constructor(error: WorkflowError, options: { issues?: readonly Issue[]; isRaised?: boolean } = {}) {
    super(String(error['title'] ?? error.type));
    this.name = 'Fault';
    this.error = error;
    this.issues = options.issues;
    this.isRaised = options.isRaised ?? false;
  }
}

/** A standard error, as it is raised here. */
export function errorOfType(name: StandardError, status: number, detail: string): WorkflowError {
  return { type: `${PREFIXES[0]}${name}`, status, title: TITLES[name], detail: harmless(detail) };
}

export function fault(
  name: StandardError,
  status: number,
  detail: string,
  options: { issues?: readonly Issue[]; more?: JsonObject } = {},
): Fault {
  const error = { ...errorOfType(name, status, detail), ...options.more };
  return new Fault(error, options.issues === undefined ? {} : { issues: options.issues });
}

/** The bare name of a standard error's type, under whichever prefix; undefined for any other type. */
export function standardName(type: string): StandardError | undefined {
  const bare = PREFIXES.reduce((rest, prefix) => (rest.startsWith(prefix) ? rest.slice(prefix.length) : rest), type);
  return STANDARD_ERRORS.find((name) => name === bare);
}

/** Whether two texts name the same type: equal, or one standard error under two of its names. */
export function isSameType(one: string, other: string): boolean {
  if (one === other) return true;
  const name = standardName(one);
  return name !== undefined && name === standardName(other);
}
