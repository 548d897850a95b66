export const description = 'How many pieces to order so that the stock lasts for the forecast months.';

export const input = {
  type: 'object',
  required: ['stock', 'forecast'],
  properties: {
    stock: { type: 'integer', minimum: 0, description: 'Pieces in stock.' },
    forecast: { type: 'array', items: { type: 'number', minimum: 0 }, description: 'Expected demand per month.' },
    reserve: { type: 'number', minimum: 0, default: 0.1, description: 'The share that is ordered in addition.' },
  },
};
export const output = { type: 'object', required: ['order'], properties: { order: { type: 'integer' } } };
export const examples = [
  { name: 'three months', input: { stock: 100, forecast: [80, 90, 70] }, output: { order: 164 } },
  { name: 'enough in stock', input: { stock: 500, forecast: [80, 90] }, output: { order: 0 } },
];

export default function (input) {
  const needed = input.forecast.reduce((sum, month) => sum + month, 0) * (1 + (input.reserve ?? 0.1));
  return { order: Math.max(0, Math.ceil(needed - input.stock)) };
}
