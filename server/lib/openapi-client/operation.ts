// An operation of a document, said alike for every version of OpenAPI.
import type { Json } from '../../../shared/json.ts';

export const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;
export type Method = (typeof METHODS)[number];

/** What an operation says of itself, whatever it takes. */
export interface OperationHead {
  /** The `operationId`; an operation without one cannot be called by name. */
  id: string | undefined;
  method: Method;
  /** The template as the document has it, such as `/pets/{petId}`. */
  path: string;
  summary: string | undefined;
  description: string | undefined;
  isDeprecated: boolean;
}

export interface ListedOperation extends OperationHead {
  /** How many parameters reading it looks at; those of its path too, which many operations may share. */
  parameterCount: number;
  read: () => OpenApiOperation;
}

export interface OpenApiOperation extends OperationHead {
  parameters: Parameter[];
  body: Body | undefined;
  /** The media types of its answers, JSON first. */
  accepts: string[];
  /** Its own address; undefined where the document's counts. Always undefined in 2.0. */
  servers: Json[] | undefined;
}

export interface Parameter {
  name: string;
  /** The name that it is given by: its own, unless another argument has that. */
  argument: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  isRequired: boolean;
  description: string | undefined;
  /** As the document has it: a reference may stand in it. 2.0's parameter is its own schema. */
  schema: Json | undefined;
  form: ParameterForm;
}

/** How a parameter's value becomes text. */
export interface ParameterForm {
  style: 'simple' | 'label' | 'matrix' | 'form' | 'deepObject' | 'json';
  /** Each item or member is written by itself. */
  explode: boolean;
  /** Between items that are not written by themselves, percent-encoded where it stands in a URL. */
  separator: string;
  keepsReserved: boolean;
  /** A single value is put into a list first. */
  wantsList: boolean;
}

export interface Body {
  /** The arguments it is given by: `body`, and in 2.0 its own name too. None for form fields. */
  names: string[];
  isRequired: boolean;
  description: string | undefined;
  /** At least one; the one to send comes first. */
  mediaTypes: BodyType[];
  /** 2.0's form fields, each an argument of its own; undefined for every other body. */
  fields: FormField[] | undefined;
}

export interface BodyType {
  type: string;
  schema: Json | undefined;
  wantsList: boolean;
}

export interface FormField {
  name: string;
  /** As a parameter's. */
  argument: string;
  isRequired: boolean;
  description: string | undefined;
  schema: Json;
  form: ParameterForm;
  isFile: boolean;
}
