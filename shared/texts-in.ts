/** The texts and numbers in a JSON value, at any depth, as they would be read. */
export function textsIn(value: unknown): string[] {
  const texts: string[] = [];
  const left = [value];
  while (left.length > 0) {
    const one = left.pop();
    if (typeof one === 'string' || typeof one === 'number') texts.push(String(one));
    else if (typeof one === 'object' && one !== null) for (const held of Object.values(one)) left.push(held);
  }
  return texts;
}
