// Evaluations a second of expressions: those of the compiled subset, and those that jq takes in its workers.
import type { Json } from '../shared/json.ts';
import { createExpressions, type Expressions } from '../server/lib/jq/index.ts';

const INPUT: Json = {
  customer: { id: 'c-17', name: 'Ada', country: 'PT', tags: ['new', 'vat'] },
  items: [
    { sku: 'a', price: 12.5, count: 2 },
    { sku: 'b', price: 3, count: 10 },
    { sku: 'c', price: 99.99, count: 1 },
  ],
  note: null,
};
const VARIABLES = { context: { limit: 100, attempts: 2 }, task: { name: 'check' } };

const PLAIN: readonly string[] = [
  '.customer.id',
  '$context.attempts < 3 and .customer.country == "PT"',
  '{id: .customer.id, total: (.items[0].price * .items[0].count), task: $task.name}',
  '"Order of \\(.customer.name): \\(.items | length) items"',
  '.note // "none"',
  'if .customer.country == "PT" then "home" elif .customer.country then "abroad" else "unknown" end',
  '[.items[] | select(.price < $context.limit) | .sku]',
  '.items | map(.price * .count) | add',
  '.customer.tags | any(. == "vat")',
];
const BY_JQ: readonly string[] = ['.customer.name | ascii_upcase', '.items | group_by(.price > 10) | length'];

const MILLISECONDS = 1000;
const AT_ONCE = 64;

/** How often a second the work is done. */
async function perSecond(work: () => Promise<void> | void, times: number): Promise<number> {
  const start = performance.now();
  let done = 0;
  while (performance.now() - start < MILLISECONDS) {
    const waited = work();
    if (waited !== undefined) await waited;
    done += times;
  }
  return (done * 1000) / (performance.now() - start);
}

function evaluateOften(expressions: Expressions, expression: string): void {
  for (let time = 0; time < 1000; time += 1) {
    const evaluation = expressions.evaluate(expression, INPUT, VARIABLES, 0);
    if (evaluation instanceof Promise) throw new Error(`jq was asked: ${expression}`);
    if (!evaluation.ok) throw new Error(evaluation.detail);
  }
}

async function evaluateByJq(expressions: Expressions, expression: string, count: number): Promise<void> {
  const one = async (): Promise<void> => {
    const evaluation = await expressions.evaluate(expression, INPUT, VARIABLES, 0);
    if (!evaluation.ok) throw new Error(evaluation.detail);
  };
  await Promise.all(Array.from({ length: count }, one));
}

const expressions = createExpressions();
const show = (what: string, figure: number): void =>
  console.log(`${Math.round(figure).toLocaleString('en').padStart(12)} a second  ${what}`);

console.log('The compiled subset:');
for (const expression of PLAIN) {
  await perSecond(() => evaluateOften(expressions, expression), 1000);
  show(expression, await perSecond(() => evaluateOften(expressions, expression), 1000));
}
console.log('jq in two workers:');
for (const expression of BY_JQ) {
  await evaluateByJq(expressions, expression, AT_ONCE);
  show(`${expression}, one after another`, await perSecond(() => evaluateByJq(expressions, expression, 1), 1));
  show(
    `${expression}, ${AT_ONCE} at once`,
    await perSecond(() => evaluateByJq(expressions, expression, AT_ONCE), AT_ONCE),
  );
}
await expressions.close();
