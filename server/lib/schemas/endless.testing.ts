import type { JsonObject } from '../../../shared/json.ts';

/** Looks at one value 2^40 times. */
export const ENDLESS = {
  $ref: '#/$defs/a40',
  $defs: Object.fromEntries(
    Array.from({ length: 41 }, (_, level) => {
      const below = { $ref: `#/$defs/a${level - 1}` };
      return [`a${level}`, level === 0 ? { type: ['string', 'object'] } : { allOf: [below, below] }];
    }),
  ),
} satisfies JsonObject;
