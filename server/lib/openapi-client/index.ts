export { buildRequest, type RequestBuilt } from './build-request.ts';
export type { OpenApiDocument } from './document.ts';
export { bareType, isJsonType } from './media-types.ts';
export type {
  Body,
  BodyType,
  FormField,
  ListedOperation,
  Method,
  Operation,
  Parameter,
  ParameterForm,
} from './operation.ts';
export { findOperation, listOperations } from './operations.ts';
export type { OpenApiError, OpenApiErrorKind } from './problem.ts';
export { type DocumentReading, MOST_DOCUMENT_BYTES, readOpenApiDocument } from './read-document.ts';
export { securityScheme, serverOf } from './server-url.ts';
