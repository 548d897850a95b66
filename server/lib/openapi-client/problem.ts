/**
 * Why no request can be made:
 * - `unusable_document`: the document contradicts itself, or says too little;
 * - the others: the caller's arguments do not fit it.
 */
export type OpenApiErrorKind =
  | 'unusable_document'
  | 'unknown_operation'
  | 'unknown_parameter'
  | 'missing_parameter'
  | 'bad_parameter';

export interface OpenApiError {
  kind: OpenApiErrorKind;
  /** The argument that it is about. */
  parameter?: string;
  /** A sentence; names of the document stand in it, values of arguments do not. */
  detail: string;
}

export function openApiError(kind: OpenApiErrorKind, detail: string, parameter?: string): OpenApiError {
  return parameter === undefined ? { kind, detail } : { kind, detail, parameter };
}

/** Ends the building of a request. It does not leave this folder. */
export class Unbuildable extends Error {
  readonly problem: OpenApiError;

  constructor(problem: OpenApiError) {
    super(problem.detail);
    this.problem = problem;
  }
}
