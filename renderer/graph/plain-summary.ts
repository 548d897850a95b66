/** What a step does, as the service says it in Markdown; in a box of one line code is not marked. */
export function plainSummary(summary: string): string {
  return summary.replaceAll('`', '');
}
