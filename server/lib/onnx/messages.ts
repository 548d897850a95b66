// The messages of onnx.proto, up to IR version 13: all of their fields, with the types of those that the rules read.
// https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
import { many, type MessageType, one } from './protobuf.ts';

const ENTRY: MessageType = {
  name: 'StringStringEntryProto',
  fields: { 1: one('key', 'blob'), 2: one('value', 'blob') },
};
const entries = many('metadata_props', () => ENTRY);

const DIMENSION: MessageType = {
  name: 'TensorShapeProto.Dimension',
  fields: { 1: one('dim_value', 'int64'), 2: one('dim_param', 'text'), 3: one('denotation', 'blob') },
};

const SHAPE: MessageType = { name: 'TensorShapeProto', fields: { 1: many('dim', () => DIMENSION) } };

const TENSOR_TYPE: MessageType = {
  name: 'TypeProto.Tensor',
  fields: { 1: one('elem_type', 'int32'), 2: one('shape', () => SHAPE) },
};

const ELEMENT_TYPE: MessageType = { name: 'TypeProto.Sequence', fields: { 1: one('elem_type', () => TYPE) } };

const MAP_TYPE: MessageType = {
  name: 'TypeProto.Map',
  fields: { 1: one('key_type', 'int32'), 2: one('value_type', () => TYPE) },
};

const TYPE: MessageType = {
  name: 'TypeProto',
  fields: {
    1: one('tensor_type', () => TENSOR_TYPE),
    4: one('sequence_type', () => ELEMENT_TYPE),
    5: one('map_type', () => MAP_TYPE),
    6: one('denotation', 'blob'),
    8: one('sparse_tensor_type', () => TENSOR_TYPE),
    9: one('optional_type', () => ELEMENT_TYPE),
  },
};

const VALUE: MessageType = {
  name: 'ValueInfoProto',
  fields: { 1: one('name', 'text'), 2: one('type', () => TYPE), 3: one('doc_string', 'blob'), 4: entries },
};

const SEGMENT: MessageType = {
  name: 'TensorProto.Segment',
  fields: { 1: one('begin', 'varint'), 2: one('end', 'varint') },
};

const TENSOR: MessageType = {
  name: 'TensorProto',
  fields: {
    1: many('dims', 'int64'),
    2: one('data_type', 'int32'),
    3: one('segment', () => SEGMENT),
    4: many('float_data', 'fixed32'),
    5: many('int32_data', 'varint'),
    6: many('string_data', 'blob'),
    7: many('int64_data', 'varint'),
    8: one('name', 'text'),
    9: one('raw_data', 'bytes'),
    10: many('double_data', 'fixed64'),
    11: many('uint64_data', 'varint'),
    12: one('doc_string', 'blob'),
    13: many('external_data', () => ENTRY),
    14: one('data_location', 'int32'),
    16: entries,
  },
};

const SPARSE_TENSOR: MessageType = {
  name: 'SparseTensorProto',
  fields: { 1: one('values', () => TENSOR), 2: one('indices', () => TENSOR), 3: many('dims', 'int64') },
};

const ATTRIBUTE: MessageType = {
  name: 'AttributeProto',
  fields: {
    1: one('name', 'text'),
    2: one('f', 'fixed32'),
    3: one('i', 'varint'),
    4: one('s', 'blob'),
    5: one('t', () => TENSOR),
    6: one('g', () => GRAPH),
    7: many('floats', 'fixed32'),
    8: many('ints', 'varint'),
    9: many('strings', 'blob'),
    10: many('tensors', () => TENSOR),
    11: many('graphs', () => GRAPH),
    13: one('doc_string', 'blob'),
    14: one('tp', () => TYPE),
    15: many('type_protos', () => TYPE),
    20: one('type', 'int32'),
    21: one('ref_attr_name', 'blob'),
    22: one('sparse_tensor', () => SPARSE_TENSOR),
    23: many('sparse_tensors', () => SPARSE_TENSOR),
  },
};

const NODE: MessageType = {
  name: 'NodeProto',
  fields: {
    1: many('input', 'blob'),
    2: many('output', 'text'),
    3: one('name', 'text'),
    4: one('op_type', 'text'),
    5: many('attribute', () => ATTRIBUTE),
    6: one('doc_string', 'blob'),
    7: one('domain', 'text'),
    8: one('overload', 'bytes'),
    9: entries,
    10: many('device_configurations', 'blob'),
  },
};

const ANNOTATION: MessageType = {
  name: 'TensorAnnotation',
  fields: { 1: one('tensor_name', 'blob'), 2: many('quant_parameter_tensor_names', () => ENTRY) },
};

const GRAPH: MessageType = {
  name: 'GraphProto',
  fields: {
    1: many('node', () => NODE),
    2: one('name', 'blob'),
    5: many('initializer', () => TENSOR),
    10: one('doc_string', 'blob'),
    11: many('input', () => VALUE),
    12: many('output', () => VALUE),
    13: many('value_info', () => VALUE),
    14: many('quantization_annotation', () => ANNOTATION),
    15: many('sparse_initializer', () => SPARSE_TENSOR),
    16: entries,
  },
};

const OPSET: MessageType = {
  name: 'OperatorSetIdProto',
  fields: { 1: one('domain', 'text'), 2: one('version', 'int64') },
};

export const MODEL: MessageType = {
  name: 'ModelProto',
  fields: {
    1: one('ir_version', 'int64'),
    2: one('producer_name', 'blob'),
    3: one('producer_version', 'blob'),
    4: one('domain', 'blob'),
    5: one('model_version', 'varint'),
    6: one('doc_string', 'blob'),
    7: one('graph', () => GRAPH),
    8: many('opset_import', () => OPSET),
    14: entries,
    20: many('training_info', 'blob'),
    25: many('functions', 'blob'),
    26: many('configuration', 'blob'),
  },
};

// What the tables above give, as far as the rules read it.

export interface ModelProto {
  ir_version?: number;
  graph?: GraphProto;
  opset_import?: { domain?: string; version?: number }[];
  /** How many there are, as of every array that is not kept. */
  training_info?: number;
  functions?: number;
}

export interface GraphProto {
  node?: NodeProto[];
  initializer?: TensorProto[];
  sparse_initializer?: SparseTensorProto[];
  input?: ValueInfoProto[];
  output?: ValueInfoProto[];
}

export interface NodeProto {
  name?: string;
  input?: number;
  output?: string[];
  op_type?: string;
  domain?: string;
  overload?: Uint8Array;
  attribute?: AttributeProto[];
}

export interface AttributeProto {
  name?: string;
  t?: TensorProto;
  tensors?: TensorProto[];
  g?: GraphProto;
  graphs?: GraphProto[];
  sparse_tensor?: SparseTensorProto;
  sparse_tensors?: SparseTensorProto[];
}

export interface TensorProto {
  name?: string;
  dims?: number[];
  data_type?: number;
  segment?: object;
  raw_data?: Uint8Array;
  float_data?: number;
  int32_data?: number;
  int64_data?: number;
  double_data?: number;
  uint64_data?: number;
  string_data?: number;
  external_data?: object[];
  data_location?: number;
}

export interface SparseTensorProto {
  values?: TensorProto;
  indices?: TensorProto;
  dims?: number[];
}

export interface ValueInfoProto {
  name?: string;
  type?: {
    tensor_type?: { elem_type?: number; shape?: { dim?: { dim_value?: number; dim_param?: string }[] } };
  };
}
