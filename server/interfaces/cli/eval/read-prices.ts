// The prices of models, as a file names them.
import { readFileSync } from 'node:fs';
import type { Prices } from '../../../../shared/evaluation/index.ts';
import { isJsonObject, memberOf } from '../../../../shared/json.ts';
import { codeOf, CommandFailure, EXIT } from '../failure.ts';
import { readJsonText } from '../json-text.ts';
import { textOfBytes } from '../text-file.ts';

/** Reads `{ "provider/model": { "input": 0.25, "output": 2, "cached": 0.025 } }`. @throws CommandFailure */
export function readPrices(file: string | undefined): Prices {
  if (file === undefined) return new Map();
  const form = 'write { "provider/model": { "input": 0.25, "output": 2, "cached": 0.025 } }, for a million tokens';
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw wrong(`Cannot read the prices in ${file} (${codeOf(error)}); ${form}.`);
  }
  const read = readJsonText(textOfBytes(file, bytes));
  if (!read.ok) throw wrong(`${file} ${read.fault.replace(/\.$/, '')}; ${form}.`);
  const { value } = read;
  if (!isJsonObject(value)) throw wrong(`${file} is not an object; ${form}.`);
  return new Map(
    Object.entries(value).map(([model, price]) => {
      const amount = (name: string): number | undefined => {
        const found = memberOf(price, name);
        return typeof found === 'number' && found >= 0 ? found : undefined;
      };
      const [input, output, cached] = [amount('input'), amount('output'), amount('cached')];
      if (input === undefined || output === undefined)
        throw wrong(`${file}: the price of ${model} needs input and output; ${form}.`);
      return [model, { input, output, ...(cached === undefined ? {} : { cached }) }];
    }),
  );
}

function wrong(sentence: string): CommandFailure {
  return new CommandFailure(sentence, EXIT.misused);
}
