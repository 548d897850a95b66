import type { ReactNode } from 'react';
import { CopyAs } from './copy-as.tsx';

/** A text with a button that copies it, for example lines of a configuration file. */
export function CodeBlock({ text, label }: { text: string; label: string }) {
  return (
    <WithCopyButton name={label} text={text}>
      {/* Long lines scroll, from the keyboard too. */}
      <pre className="code" tabIndex={0} role="region" aria-label={label}>
        {text}
      </pre>
    </WithCopyButton>
  );
}

/** A value as formatted JSON. */
export function JsonView({ value, label }: { value: unknown; label: string }) {
  const text = JSON.stringify(value, undefined, 2) ?? 'nothing';
  return (
    <WithCopyButton name="JSON" text={text}>
      <pre className="code" tabIndex={0} aria-label={label} style={{ maxHeight: 420 }}>
        {text}
      </pre>
    </WithCopyButton>
  );
}

function WithCopyButton({ name, text, children }: { name: string; text: string; children: ReactNode }) {
  return (
    <div style={{ position: 'relative', textAlign: 'start' }}>
      <div style={{ position: 'absolute', top: 8, right: 8 }}>
        <CopyAs copies={[{ name, text: () => text }]} />
      </div>
      {children}
    </div>
  );
}
