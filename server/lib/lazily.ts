/** A value that is computed when it is first needed, then kept. What `compute` throws is not kept. */
export function lazily<T>(compute: () => T): () => T {
  let computed: { value: T } | undefined;
  return () => (computed ??= { value: compute() }).value;
}
