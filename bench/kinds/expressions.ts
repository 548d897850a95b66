// Measures the gain of the compiled subset for each form of expression: evaluations per second by the subset and by jq
// in its workers, with inputs of three sizes. A form that is left to jq has no ratio.
// BENCH_MS says how long each is measured.
import type { Json } from '../../shared/json.ts';
import { createExpressions, type Expressions } from '../../server/lib/jq/index.ts';
import { atOnce, setting } from '../figures.ts';

const SIZES = [1024, 64 * 1024, 1024 * 1024] as const;
const MEASURED_MS = setting('BENCH_MS', 250);
/** How many evaluations jq has under way, as in a busy service. */
const AT_ONCE = 8;
/** How many evaluations of the subset pass between two looks at the clock. */
const BETWEEN_LOOKS = 20;

const FORMS: readonly (readonly [form: string, expression: string])[] = [
  ['member', '.customer.id'],
  ['item', '.items[0].sku'],
  ['variable', '$context.attempts'],
  ['comparison', '.total > 100'],
  ['and, or', '.customer.country == "PT" and .total > 100 or .note == null'],
  ['not', '.note | not'],
  ['default', '.note // "none"'],
  ['if', 'if .customer.country == "PT" then "home" else "abroad" end'],
  ['object', '{id: .customer.id, country: .customer.country}'],
  ['input and object', '. + {checked: true}'],
  ['list', '[.customer.id, .total]'],
  ['text', '"Order of \\(.customer.name)"'],
  ['+ of texts', '.customer.id + "-" + .customer.country'],
  ['arithmetic', '(.total - 1) * 3 / 2 % 7'],
  ['length', '.items | length'],
  ['type', '.items | type'],
  ['.[] in a list', '[.items[].sku]'],
  ['map', '.items | map(.price)'],
  ['add', '[.items[].price] | add'],
  ['select', '[.items[] | select(.price > 20) | .sku]'],
  ['left to jq: any', '.items | any(.price > 1000)'],
  ['left to jq: slice', '.items[1:3]'],
  ['left to jq: optional', '.customer.id?'],
  ['left to jq: has', '.customer | has("id")'],
];

const VARIABLES = { context: { attempts: 2 } };

/** An order with as many items as about `bytes` of JSON hold. */
function orderOf(bytes: number): Json {
  const head = { customer: { id: 'c-17', name: 'Ada', country: 'PT' }, total: 240, note: null };
  const items: Json[] = [];
  for (let left = bytes - JSON.stringify(head).length; left > 0; ) {
    const at = items.length;
    const item = { sku: `sku-${at}`, price: (at * 7) % 100, count: 1 + (at % 4), text: 'One of what was ordered.' };
    items.push(item);
    left -= JSON.stringify(item).length + 1;
  }
  return { ...head, items };
}

const shown = (figure: number): string => Math.round(figure).toLocaleString('en');

export async function run(): Promise<void> {
  const expressions = createExpressions();
  try {
    console.log(`| form | ${SIZES.map((bytes) => `${bytes / 1024} KiB: subset, jq, ratio`).join(' | ')} |`);
    console.log(`|---|${SIZES.map(() => '---|').join('')}`);
    const inputs = SIZES.map(orderOf);
    for (const [form, expression] of FORMS) {
      const cells: string[] = [];
      for (const input of inputs) {
        bySubset(expressions, expression, input);
        const own = bySubset(expressions, expression, input);
        const jq = await byJq(expressions, expression, input);
        cells.push(own === undefined ? `jq ${shown(jq)}` : `${shown(own)}, ${shown(jq)}, ${shown(own / jq)}`);
      }
      console.log(`| ${form}: \`${expression.replaceAll('|', '\\|')}\` | ${cells.join(' | ')} |`);
    }
  } finally {
    await expressions.close();
  }
}

/** Evaluations a second; undefined where jq is asked. */
function bySubset(expressions: Expressions, expression: string, input: Json): number | undefined {
  if (expressions.evaluate(expression, input, VARIABLES, 0) instanceof Promise) return undefined;
  const start = performance.now();
  let done = 0;
  while (performance.now() - start < MEASURED_MS) {
    for (let time = 0; time < BETWEEN_LOOKS; time += 1) void expressions.evaluate(expression, input, VARIABLES, 0);
    done += BETWEEN_LOOKS;
  }
  return (done * 1000) / (performance.now() - start);
}

async function byJq(expressions: Expressions, expression: string, input: Json): Promise<number> {
  // The subset has no `as`.
  const asked = `(${expression}) as $same | $same`;
  const evaluate = async (): Promise<void> => {
    const evaluation = await expressions.evaluate(asked, input, VARIABLES, 0);
    if (!evaluation.ok) throw new Error(evaluation.detail);
  };
  await evaluate();
  const start = performance.now();
  let done = 0;
  while (performance.now() - start < MEASURED_MS) {
    await atOnce(AT_ONCE, evaluate);
    done += AT_ONCE;
  }
  return (done * 1000) / (performance.now() - start);
}
