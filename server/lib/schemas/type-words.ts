/** What a JSON type is called in a sentence, with its article. */
const TYPE_WORDS = new Map([
  ['string', 'a text'],
  ['number', 'a number'],
  ['integer', 'a whole number'],
  ['boolean', 'true or false'],
  ['object', 'an object'],
  ['array', 'a list'],
  ['null', 'null'],
]);

export function typeWord(type: unknown): string {
  return TYPE_WORDS.get(String(type)) ?? String(type);
}

const FORMAT_WORDS = new Map([
  ['date-time', 'a date and time such as 2026-01-31T07:00:00Z'],
  ['date', 'a date such as 2026-01-31'],
  ['time', 'a time with its offset such as 07:00:00Z'],
  ['duration', 'an ISO 8601 duration such as P3D or PT2H'],
  ['email', 'an e-mail address'],
  ['uri', 'an absolute URI such as https://example.com/a'],
  ['uuid', 'a UUID'],
]);

export function formatWords(format: string): string {
  return FORMAT_WORDS.get(format) ?? `in the format ${format}`;
}
