import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Field,
  graph,
  message,
  model,
  node,
  tensor,
  value,
  varint,
} from '../../../resources/trainers/node/onnx.ts';
import { FaultyModel } from './fault.ts';
import {
  CONTEXT,
  drift,
  forecaster,
  holtWinters,
  HORIZON,
  PAST,
  QUANTILES,
  seasonalNaive,
  SIGNATURE,
  through,
} from './models.testing.ts';
import { readModel } from './read-model.ts';

/** `KIND: detail` of the fault, or what was read. */
function reading(bytes: Uint8Array): unknown {
  try {
    return readModel(bytes, SIGNATURE);
  } catch (error) {
    if (error instanceof FaultyModel) return `${error.fault.kind}: ${error.fault.detail}`;
    throw error;
  }
}

/** A model in which the fields of the model itself are given. */
const MODEL = { ir: [1, 8], opset: [8, message([2, 17])] } as const;
const CONTENT = graph({ inputs: [PAST], outputs: [QUANTILES], nodes: [] });
const float = new Float32Array(1);

describe('given a model within the rules', () => {
  test.each([
    ['seasonal naive', seasonalNaive(4)],
    ['drift', drift()],
    ['Holt-Winters', holtWinters()],
  ])('then %s is read', (_, bytes) => {
    expect(reading(bytes)).toEqual({ opset: 17, inputs: ['past_target'] });
  });

  test('then operators of ai.onnx.ml, an If, and inputs with an unnamed batch dimension are allowed', () => {
    const branch = graph({
      inputs: [],
      outputs: [value('x', 'float32', [1])],
      nodes: [],
      constants: [tensor('x', [1], float)],
    });
    const open = message(
      [1, 'past_target'],
      [2, message([1, message([1, 1], [2, message([1, new Uint8Array()], [1, message([1, CONTEXT])])])])],
    );
    const bytes = model({
      inputs: [open, value('static', 'int64', ['rows', 2])],
      outputs: [QUANTILES],
      nodes: [
        node('Scaler', ['past_target'], ['scaled'], { scale: { float: 2 } }, 'ai.onnx.ml'),
        node('If', ['condition'], ['x'], { then_branch: { graph: branch }, else_branch: { graph: branch } }),
      ],
    });
    expect(reading(bytes)).toEqual({ opset: 17, inputs: ['past_target', 'static'] });
  });

  test('then a dropout as it is exported for inference is allowed', () => {
    expect(reading(through('Dropout'))).toMatchObject({ opset: 17 });
  });

  test('then an input that has a constant value is not an input', () => {
    const w = value('w', 'float32', [1]);
    expect(reading(forecaster([], [tensor('w', [1], float)], { inputs: [PAST, w] }))).toMatchObject({ opset: 17 });
  });
});

describe('given a model that breaks a rule, then it is refused with a sentence', () => {
  const external = (...fields: Field[]): Uint8Array =>
    forecaster([], [message([1, 1], [2, 1], [8, 'weights'], ...fields)]);
  const body = (operator: string): Parameters<typeof node>[3] => ({
    then_branch: { graph: graph({ inputs: [], outputs: [], nodes: [node(operator, [], ['y'])] }) },
  });

  test.each([
    [
      'external data',
      external([14, 1], [13, message([1, 'location'], [2, '/etc/passwd'])]),
      'The constant `weights` stores its values in another file; save the model as one file',
    ],
    ['external data without a location', external([14, 1]), 'another file'],
    ['external data in a location that is not used', external([13, message()], [9, new Uint8Array(4)]), 'another file'],
    ['a location that others truncate to external', external([14, 2n ** 32n + 1n]), 'in TensorProto.data_location'],
    [
      'external data of an attribute',
      through('Constant', { value: { tensor: message([14, 1]) } }),
      'The attribute `value` of the node number 1, with the output `changed`, (Constant) stores',
    ],
    ['segments', external([3, message([1, 0], [2, 1])]), 'segments'],
    ['a loop', through('Loop'), 'The node number 1, with the output `changed`, (Loop) may run without end; unroll it'],
    [
      'a scan in a subgraph',
      through('If', body('Scan')),
      '(Scan) in the attribute `then_branch` of the node number 1, with the output `changed`, (If) may run without end',
    ],
    ['random numbers', through('RandomNormalLike'), 'is random; store random values as constants'],
    ['random numbers in a subgraph', through('If', body('Bernoulli')), 'is random'],
    ['a multinomial', through('Multinomial'), 'is random'],
    [
      'a dropout that may be told to train',
      forecaster([node('Dropout', ['past_target', 'ratio', 'mode'], ['quantiles'])]),
      'is random while it trains; export the model for inference, without `training_mode`',
    ],
    ['a domain', through('Gelu', {}, 'com.microsoft'), 'is an operator of the domain "com.microsoft"; use operators'],
    ['the long name of the default domain', through('Abs', {}, 'ai.onnx'), 'write the default domain as an empty text'],
    [
      'a local function',
      message(MODEL.ir, MODEL.opset, [7, CONTENT], [25, message([1, 'f'])]),
      'local functions; inline them',
    ],
    ['a call of a local function', forecaster([message([4, 'Abs'], [8, 'overload'])]), 'calls a local function'],
    ['training information', message(MODEL.ir, MODEL.opset, [7, CONTENT], [20, message()]), 'training information'],
    [
      'an imported domain',
      message(MODEL.ir, MODEL.opset, [8, message([1, 'evil'], [2, 1])], [7, CONTENT]),
      'domain "evil"',
    ],
    [
      'an old opset',
      message(MODEL.ir, [8, message([2, 12])], [7, CONTENT]),
      'The model uses opset 12; export it with an opset from 13 to 26.',
    ],
    ['a new opset', message(MODEL.ir, [8, message([2, 27])], [7, CONTENT]), 'opset 27'],
    ['no opset', message(MODEL.ir, [7, CONTENT]), 'imports no opset'],
    ['two opsets', message(MODEL.ir, MODEL.opset, MODEL.opset, [7, CONTENT]), 'twice'],
    ['a new IR version', message([1, 14], MODEL.opset, [7, CONTENT]), 'IR version 14'],
    ['no graph', message(MODEL.ir, MODEL.opset), 'not an ONNX model'],
    ["onnxruntime's own format", message([2, 'xxORTM'], MODEL.ir, MODEL.opset, [7, CONTENT]), 'ORT'],
    [
      'dimensions beyond the data',
      external([1, 2 ** 40], [9, new Uint8Array(4)]),
      'has dimensions [1, 1099511627776] and 4 bytes of raw data',
    ],
    [
      'dimensions whose product overflows',
      external([1, 2 ** 52], [1, 2 ** 52], [1, 2 ** 52]),
      'as many values as the dimensions say',
    ],
    ['dimensions without data', external(), 'and 0 values in float_data'],
    ['data of another type', external([7, varint(1)]), 'and 0 values in float_data'],
    ['data in two places', external([4, new Uint8Array(4)], [9, new Uint8Array(4)]), 'as many values'],
    ['texts that are missing', forecaster([], [message([1, 2 ** 30], [2, 8])]), '0 texts'],
    ['an unknown data type', forecaster([], [message([2, 99])]), 'data type 99'],
    [
      'a sparse constant that grows',
      forecaster([], [], { nodes: [message([5, message([1, 'sparse_value'], [22, message([3, 2 ** 40])])])] }),
      'is sparse with dimensions [1099511627776]',
    ],
  ])('%s', (_, bytes, expected) => {
    expect(reading(bytes)).toEqual(expect.stringMatching(/^load: .*\.$/s));
    expect(reading(bytes)).toContain(expected);
  });
});

describe('given a model that declares something else than the signature', () => {
  const withInputs = (...inputs: ReturnType<typeof value>[]): Uint8Array => forecaster([], [], { inputs });
  const withOutputs = (...outputs: ReturnType<typeof value>[]): Uint8Array => forecaster([], [], { outputs });

  test.each([
    [
      'an unknown input',
      withInputs(PAST, value('holidays', 'float32', ['batch'])),
      'load: The input "holidays" is unknown; a model\'s inputs are: `past_target`, `past_observed`, `static`.',
    ],
    [
      'a missing input',
      withInputs(),
      'load: The model does not declare the input `past_target` float32 [batch, 12]; add it.',
    ],
    ['an input twice', withInputs(PAST, PAST), 'load: The model declares the input `past_target` twice.'],
    [
      'a type',
      withInputs(value('past_target', 'int64', ['batch', CONTEXT])),
      'type: The input `past_target` is declared as int64; declare it as float32 [batch, 12].',
    ],
    [
      'no type',
      withInputs(message([1, 'past_target'])),
      'type: The input `past_target` is not declared as a tensor; declare it as float32 [batch, 12].',
    ],
    [
      'no shape',
      withInputs(message([1, 'past_target'], [2, message([1, message([1, 1])])])),
      'shape: The input `past_target` is declared without a shape; declare it as float32 [batch, 12].',
    ],
    [
      'a size',
      withInputs(value('past_target', 'float32', ['batch', 24])),
      'shape: The input `past_target` is declared as [batch, 24]; declare it as float32 [batch, 12].',
    ],
    [
      'a symbolic size',
      withInputs(value('past_target', 'float32', ['batch', 'context'])),
      'shape: The input `past_target` is declared as [batch, context]; declare it as float32 [batch, 12].',
    ],
    [
      'a rank',
      withInputs(value('past_target', 'float32', ['batch', CONTEXT, 1])),
      'shape: The input `past_target` is declared as [batch, 12, 1]; declare it as float32 [batch, 12].',
    ],
    [
      'a fixed batch',
      withInputs(value('past_target', 'float32', [1, CONTEXT])),
      'shape: The input `past_target` is declared as [1, 12]; declare it as float32 [batch, 12]. `batch` must be symbolic, so that rows can be run in batches of any size.',
    ],
    ['no output', withOutputs(), 'load: The model has no output; add `quantiles` float32 [batch, 4, 3].'],
    [
      'another output',
      withOutputs(QUANTILES, value('state', 'float32', ['batch'])),
      'load: The output "state" is unknown; a model\'s outputs are: `quantiles`.',
    ],
    ['an output twice', withOutputs(QUANTILES, QUANTILES), 'load: The model declares the output `quantiles` twice.'],
    [
      'a shape of the output',
      withOutputs(value('quantiles', 'float32', ['batch', HORIZON])),
      'shape: The output `quantiles` is declared as [batch, 4]; declare it as float32 [batch, 4, 3].',
    ],
  ])('then %s is a fault', (_, bytes, expected) => {
    expect(reading(bytes)).toBe(expected);
  });
});

describe('given names that would change how a message is read', () => {
  const NAME = 'a\u001b[2J\u009b31m\u202egnp\u2066\r';
  const SHOWN = /a\\u001b\[2J\\u009b31m\\u202egnp\\u2066\\(u000d|r)/;

  test.each([
    ['an input', forecaster([], [], { inputs: [PAST, value(NAME, 'float32', ['batch'])] })],
    ['a dimension', forecaster([], [], { inputs: [value('past_target', 'float32', ['batch', NAME])] })],
    ['an operator', forecaster([message([4, NAME], [8, 'overload'])])],
    ['a domain', message(MODEL.ir, [8, message([1, NAME], [2, 1])], [7, CONTENT])],
  ])('then that of %s is escaped', (_, bytes) => {
    expect(reading(bytes)).toMatch(SHOWN);
    expect(reading(bytes)).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  });
});

describe('given bytes that are not a valid model', () => {
  const whole = holtWinters();
  const nested = (depth: number): Uint8Array<ArrayBuffer> =>
    graph({
      inputs: [],
      outputs: [],
      nodes: depth === 0 ? [] : [node('If', [], ['y'], { then_branch: { graph: nested(depth - 1) } })],
    });

  test.each([
    ['a field twice', message(MODEL.ir, MODEL.ir), 'in ModelProto.ir_version, before byte 3, the field occurs twice'],
    ['an unknown field', message([99, 1]), 'field 99 is unknown'],
    ['another wire type', message([7, 1]), 'wire type 0 does not fit'],
    ['a group', Uint8Array.of(7 * 8 + 3), 'wire type 3 does not fit'],
    ['a number that is too long', Uint8Array.of(8, 0x80, 0x00), 'longer than necessary'],
    [
      'a number of more than 64 bits',
      Uint8Array.of(8, ...Array.from({ length: 9 }, () => 0xff), 0x02),
      'more than 64 bits',
    ],
    ['a number without an end', Uint8Array.of(8, ...Array.from({ length: 20 }, () => 0xff)), 'more than 64 bits'],
    [
      'a length beyond the end',
      message([7, '']).map((byte, at) => (at === 1 ? 100 : byte)),
      'the bytes end before the field does',
    ],
    ['a negative version', message([1, -1]), 'negative or too large'],
    ['a text that is not UTF-8', message([8, message([1, Uint8Array.of(0xff)])]), 'not UTF-8'],
    ['many nested graphs', message(MODEL.ir, MODEL.opset, [7, nested(40)]), 'nested too deeply'],
    [
      'a million empty nodes',
      message(MODEL.ir, [7, new Uint8Array(2_000_000).map((_, at) => (at % 2 === 0 ? 10 : 0))]),
      'too many parts',
    ],
    ['no bytes', new Uint8Array(), 'not an ONNX model'],
  ])('then %s is a fault', (_, bytes, expected) => {
    expect(reading(bytes)).toContain(expected);
    expect(reading(bytes)).toMatch(/^load: /);
  });

  test('then a model that is cut off anywhere is a fault', () => {
    for (let length = 0; length < whole.length; length += 1) {
      expect(reading(whole.subarray(0, length)), `${length} bytes`).toMatch(/^(load|type|shape): /);
    }
  });

  test('then changed and random bytes are read or are a fault, never an error', () => {
    const edit = fc.record({ at: fc.nat(whole.length - 1), byte: fc.nat(255) });
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 8 }), (edits) => {
        const bytes = Uint8Array.from(whole);
        for (const { at, byte } of edits) bytes[at] = byte;
        expect(reading(bytes)).toBeDefined();
      }),
      { numRuns: 1000 },
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(reading(bytes)).toMatch(/^load: /);
      }),
      { numRuns: 1000 },
    );
  });
});
