// A model before the runtime sees a byte of it.
import { MIB } from '../../../shared/product.ts';
import { FaultyModel } from './fault.ts';
import { MODEL, type ModelProto } from './messages.ts';
import { readMessage } from './protobuf.ts';
import { checkRules } from './rules.ts';
import { checkSignature, type Signature } from './signature.ts';

const LARGEST_MODEL_BYTES = 64 * MIB;

/** A subgraph takes three levels, and an `If` in a model of scikit-learn's about five of them. */
const BOUNDS = { depth: 48, values: 500_000 };

export interface ModelFacts {
  /** Version of the default operator set. */
  opset: number;
  /** Names of the inputs that the model declares; each is one of the signature's. */
  inputs: readonly string[];
}

/** @throws FaultyModel `load`, `type` or `shape` */
export function readModel(bytes: Uint8Array, signature: Signature): ModelFacts {
  if (bytes.length > LARGEST_MODEL_BYTES) {
    throw new FaultyModel('load', `The model has ${bytes.length} bytes; at most ${LARGEST_MODEL_BYTES} are accepted.`);
  }
  // The same bytes can be valid protobuf and onnxruntime's own format, which it would prefer.
  if (new TextDecoder().decode(bytes.subarray(4, 8)) === 'ORTM') {
    throw new FaultyModel('load', "The model is in onnxruntime's own format (ORT); upload it in ONNX format.");
  }
  const model = readMessage(bytes, MODEL, BOUNDS) as ModelProto;
  const opset = checkRules(model);
  return { opset, inputs: checkSignature(model.graph ?? {}, signature) };
}
