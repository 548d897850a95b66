/** What wraps a text under a key that the system keeps for one program and one user. Refusals are sentences. */
export interface KeyWrapper {
  /** Answers base64. */
  wrap(text: string): Promise<string>;
  /** `isStale`: it opens, and should be wrapped anew. */
  unwrap(wrapped: string): Promise<{ text: string; isStale: boolean }>;
}
