/** The variables of a loop, as they are called where the author named none. */
export function loopVariables(each: string | undefined, at: string | undefined): [item: string, at: string] {
  return [each ?? 'item', at ?? 'index'];
}
