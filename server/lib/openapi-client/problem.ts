/**
 * Why no request can be built:
 * - `unusable_document`: the document is contradictory or incomplete;
 * - the others: the arguments of the caller do not match it.
 */
export type OpenApiErrorKind =
  | 'unusable_document'
  | 'unknown_operation'
  | 'unknown_parameter'
  | 'missing_parameter'
  | 'bad_parameter';

export interface OpenApiError {
  kind: OpenApiErrorKind;
  /** The argument at fault. */
  parameter?: string;
  /** A message that may contain names of the document, but no values of arguments. */
  detail: string;
}

export function openApiError(kind: OpenApiErrorKind, detail: string, parameter?: string): OpenApiError {
  return parameter === undefined ? { kind, detail } : { kind, detail, parameter };
}

/** Stops building a request. Never leaves this folder. */
export class Unbuildable extends Error {
  readonly problem: OpenApiError;

  constructor(problem: OpenApiError) {
    super(problem.detail);
    this.problem = problem;
  }
}
