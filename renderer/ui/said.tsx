/** A sentence of the service: what stands between backticks is code. */
export function Said({ children }: { children: string }) {
  return children.split('`').map((part, place) => (place % 2 === 1 ? <code key={place}>{part}</code> : part));
}
