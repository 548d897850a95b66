/** A message of the service. Text between backticks is shown as code. */
export function InlineCode({ children }: { children: string }) {
  return children.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
}
