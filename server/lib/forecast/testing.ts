/** A text as a stream, cut at these bytes. */
export async function* chunksOf(text: string | Uint8Array, cuts: readonly number[] = []): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  const ends = [...cuts, bytes.length].toSorted((a, b) => a - b);
  let begin = 0;
  for (const end of ends) {
    yield bytes.subarray(begin, end);
    begin = end;
  }
}
