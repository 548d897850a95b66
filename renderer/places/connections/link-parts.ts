// What a connect link says of itself.

/** What the link's address holds, for the page in this studio. */
export function searchOf(url: string): { server: string; org: string; connection: string; token: string } {
  const query = new URL(url).searchParams;
  const text = (name: string): string => query.get(name) ?? '';
  return { server: text('server'), org: text('org'), connection: text('connection'), token: text('token') };
}

/** Milliseconds that a link is open from when its connection was added. */
const LIFE = 600_000;

export function linkEnd({ added_at }: { added_at: string }): number {
  return Date.parse(added_at) + LIFE;
}
