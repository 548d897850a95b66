// What a model may contain. The rules hold in subgraphs too.
import { FaultyModel } from './fault.ts';
import type { AttributeProto, GraphProto, ModelProto, NodeProto } from './messages.ts';
import { checkSparseTensor, checkTensor } from './tensor-bounds.ts';

export const LOWEST_OPSET = 13;
export const HIGHEST_OPSET = 26;
export const HIGHEST_IR_VERSION = 13;
const ML_DOMAIN = 'ai.onnx.ml';

/** Operators without a bound on their work, and operators whose result differs from run to run. */
const LOOPS = ['Loop', 'Scan'];
const RANDOM = ['Multinomial', 'Bernoulli'];

/** For the description of what a model may contain. */
export const FORBIDDEN_OPERATORS = [...LOOPS, 'Random*', ...RANDOM, 'Dropout(training_mode)'];

/**
 * @returns the version of the default operator set
 * @throws FaultyModel `load`
 */
export function checkRules(model: ModelProto): number {
  const { ir_version, graph, training_info, functions } = model;
  if (ir_version === undefined || graph === undefined) {
    throw refused('The file has no `ir_version` or no `graph`, so it is not an ONNX model', 'export the model to ONNX');
  }
  if (ir_version < 1 || ir_version > HIGHEST_IR_VERSION) {
    throw refused(`The model has IR version ${ir_version}`, `export it with an IR version up to ${HIGHEST_IR_VERSION}`);
  }
  if (training_info !== undefined) throw refused('The model contains training information', 'export it for inference');
  if (functions !== undefined)
    throw refused('The model defines local functions', 'inline them (in Python: onnx.inliner)');
  const opset = checkOpsets(model.opset_import ?? []);
  checkGraph(graph, '');
  return opset;
}

function checkOpsets(imports: NonNullable<ModelProto['opset_import']>): number {
  const versions = new Map<string, number>();
  for (const { domain = '', version = 0 } of imports) {
    checkDomain(domain, 'The model imports operators');
    if (versions.has(domain)) throw refused(`The model imports the domain "${domain}" twice`, 'import it once');
    versions.set(domain, version);
  }
  const opset = versions.get('') ?? 0;
  if (opset >= LOWEST_OPSET && opset <= HIGHEST_OPSET) return opset;
  const found = versions.has('') ? `uses opset ${opset}` : 'imports no opset of the default domain';
  throw refused(`The model ${found}`, `export it with an opset from ${LOWEST_OPSET} to ${HIGHEST_OPSET}`);
}

function checkDomain(domain: string, where: string): void {
  if (domain === '' || domain === ML_DOMAIN) return;
  const hint =
    domain === 'ai.onnx'
      ? 'write the default domain as an empty text'
      : `use operators of the default domain and of ${ML_DOMAIN}`;
  throw refused(`${where} of the domain ${JSON.stringify(domain)}`, hint);
}

/** @param inside where the graph is, as the end of a phrase; empty for the model's own */
function checkGraph(graph: GraphProto, inside: string): void {
  for (const tensor of graph.initializer ?? []) checkTensor(tensor, `The constant ${quoted(tensor.name)}${inside}`);
  for (const sparse of graph.sparse_initializer ?? []) {
    checkSparseTensor(sparse, `The constant ${quoted(sparse.values?.name)}${inside}`);
  }
  (graph.node ?? []).forEach((node, index) => checkNode(node, nodeWords(node, index, inside)));
}

function checkNode(node: NodeProto, words: string): void {
  const { op_type = '', domain = '', overload, input } = node;
  checkDomain(domain, `${words} is an operator`);
  if (LOOPS.includes(op_type))
    throw refused(`${words} may run without end`, 'unroll it, or use matrix operators over the whole context');
  if (op_type.startsWith('Random') || RANDOM.includes(op_type)) {
    throw refused(`${words} is random`, 'store random values as constants, so that equal inputs give equal outputs');
  }
  if (op_type === 'Dropout' && (input ?? 0) > 2) {
    throw refused(`${words} is random while it trains`, 'export the model for inference, without `training_mode`');
  }
  if (overload !== undefined && overload.length > 0) throw refused(`${words} calls a local function`, 'inline it');
  for (const attribute of node.attribute ?? []) checkAttribute(attribute, words);
}

function checkAttribute(attribute: AttributeProto, node: string): void {
  const where = `The attribute ${quoted(attribute.name)} of ${node.charAt(0).toLowerCase()}${node.slice(1)}`;
  const { t, tensors = [], g, graphs = [], sparse_tensor, sparse_tensors = [] } = attribute;
  for (const tensor of t === undefined ? tensors : [t, ...tensors]) checkTensor(tensor, where);
  for (const sparse of sparse_tensor === undefined ? sparse_tensors : [sparse_tensor, ...sparse_tensors]) {
    checkSparseTensor(sparse, where);
  }
  const inside = ` in ${where.charAt(0).toLowerCase()}${where.slice(1)}`;
  for (const graph of g === undefined ? graphs : [g, ...graphs]) checkGraph(graph, inside);
}

/** A node's name is optional; its first output is what others know it by. */
function nodeWords({ op_type = '', name = '', output = [] }: NodeProto, index: number, inside: string): string {
  const which = name === '' ? `number ${index + 1}, with the output ${quoted(output[0])},` : quoted(name);
  return `The node ${which} (${cut(op_type)})${inside}`;
}

const LONGEST_NAME = 80;

function quoted(name = ''): string {
  return `\`${cut(name)}\``;
}

function cut(name: string): string {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name;
}

function refused(what: string, instead: string): FaultyModel {
  return new FaultyModel('load', `${what}; ${instead}.`);
}
