import type { ReactNode } from 'react';

/** One of a `dl`: with the class `facts` a small title over what it says, or as the list itself wants it. */
export function Fact({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  );
}
