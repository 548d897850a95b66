import type { ReactNode } from 'react';

/** An entry of a `dl`. In a list with the class `facts` the title is small and above the value. */
export function Fact({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  );
}
