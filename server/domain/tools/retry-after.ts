const LONGEST = 24 * 60 * 60;

/** The seconds that a `Retry-After` header asks for (RFC 9110, section 10.2.3), where it names seconds. */
export function retryAfterOf(header: string | null | undefined): { retryAfter?: number } {
  if (header === null || header === undefined || !/^\d{1,9}$/.test(header.trim())) return {};
  return { retryAfter: Math.min(Number(header), LONGEST) };
}
