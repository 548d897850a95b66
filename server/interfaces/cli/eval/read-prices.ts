// The prices of models, as a file names them.
import type { Prices } from '../../../../shared/evaluation/index.ts';
import { isJsonObject, memberOf } from '../../../../shared/json.ts';
import { misused } from '../failure.ts';
import { readJsonText } from '../json-text.ts';
import { readNamedFile } from '../text-file.ts';

/** Reads `{ "provider/model": { "input": 0.25, "output": 2, "cached": 0.025 } }`. @throws CommandFailure */
export function readPrices(file: string | undefined): Prices {
  if (file === undefined) return new Map();
  const form = 'write { "provider/model": { "input": 0.25, "output": 2, "cached": 0.025 } }, for a million tokens';
  const text = readNamedFile(file, (code) => `Cannot read the prices in ${file} (${code}); ${form}.`);
  const read = readJsonText(text);
  if (!read.ok) throw misused(`${file} ${read.fault.replace(/\.$/, '')}; ${form}.`);
  const { value } = read;
  if (!isJsonObject(value)) throw misused(`${file} is not an object; ${form}.`);
  return new Map(
    Object.entries(value).map(([model, price]) => {
      const amount = (name: string): number | undefined => {
        const found = memberOf(price, name);
        return typeof found === 'number' && found >= 0 ? found : undefined;
      };
      const [input, output, cached] = [amount('input'), amount('output'), amount('cached')];
      if (input === undefined || output === undefined)
        throw misused(`${file}: the price of ${model} needs input and output; ${form}.`);
      return [model, { input, output, ...(cached === undefined ? {} : { cached }) }];
    }),
  );
}
