/** `application/json; charset=utf-8` without its parameters. */
export function bareType(type: string): string {
  return (type.split(';')[0] ?? '').trim().toLowerCase();
}

export function isJsonType(type: string): boolean {
  return /^(application|text)\/([^/]+\+)?json$/.test(bareType(type));
}

export const FORM = 'application/x-www-form-urlencoded';
export const MULTIPART = 'multipart/form-data';

/** JSON first; otherwise the order is kept. */
export function jsonFirst(types: readonly string[]): string[] {
  return types.toSorted((a, b) => Number(isJsonType(b)) - Number(isJsonType(a)));
}

/** The media types of a body, best first: those that JSON values fit best. A range such as `application/*` can be JSON. */
export function sendOrder(types: readonly string[]): string[] {
  return types.toSorted((a, b) => rank(a) - rank(b));
}

function rank(type: string): number {
  const bare = bareType(type);
  if (bare === 'application/json') return 0;
  if (isJsonType(bare)) return 1;
  if (bare.includes('*')) return 2;
  if (bare === FORM) return 3;
  if (bare === MULTIPART) return 4;
  return 5;
}
