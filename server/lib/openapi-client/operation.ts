// An operation of a document, in the same form for every version of OpenAPI.
import type { Json } from '../../../shared/json.ts';

export const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;
export type Method = (typeof METHODS)[number];

/** The description of an operation without its parameters and body. */
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
  /** The number of parameters that `read` processes, including those of the path, which operations may share. */
  parameterCount: number;
  read: () => OpenApiOperation;
}

export interface OpenApiOperation extends OperationHead {
  parameters: Parameter[];
  body: Body | undefined;
  /** The media types of its responses, JSON first. */
  accepts: string[];
  /** Its own servers; undefined if those of the document apply. Always undefined in 2.0. */
  servers: Json[] | undefined;
}

export interface Parameter {
  name: string;
  /** Its argument name: its own name, unless another argument uses it. */
  argument: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  isRequired: boolean;
  description: string | undefined;
  /** As in the document; may contain references. In 2.0, the parameter itself is the schema. */
  schema: Json | undefined;
  form: ParameterForm;
}

/** How the value of a parameter is serialized. */
export interface ParameterForm {
  style: 'simple' | 'label' | 'matrix' | 'form' | 'deepObject' | 'json';
  /** Each item or member is written separately. */
  explode: boolean;
  /** Separates items that are not exploded; percent-encoded in URLs. */
  separator: string;
  keepsReserved: boolean;
  /** A single value is wrapped in a list first. */
  wantsList: boolean;
  /** Separates the items of a list in a list (2.0); JSON without it. */
  innerSeparator?: string;
  /** With `deepObject`: items of lists have indexes, as in `a[0]`, which servers that read such names expect in bodies. */
  indexesLists?: boolean;
}

export interface Body {
  /** The names of its argument: `body`, and in 2.0 also its own name. Empty for form fields. */
  names: string[];
  isRequired: boolean;
  description: string | undefined;
  /** At least one; the first one is sent. */
  mediaTypes: BodyType[];
  /** The form fields of 2.0, each a separate argument; undefined for any other body. */
  fields: FormField[] | undefined;
}

export interface BodyType {
  type: string;
  schema: Json | undefined;
  wantsList: boolean;
  /** How the members of a form are written, by name, where the document says so. */
  encoding: ReadonlyMap<string, MemberEncoding>;
}

/** The Encoding Object of 3.x. A style takes the place of a content type. */
export interface MemberEncoding {
  form?: ParameterForm;
  contentType?: string;
}

export interface FormField {
  name: string;
  /** See `Parameter`. */
  argument: string;
  isRequired: boolean;
  description: string | undefined;
  schema: Json;
  form: ParameterForm;
  isFile: boolean;
}
