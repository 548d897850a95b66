import { CopyAs } from './copy-as.tsx';

/** A text with a button that copies it, for example lines of a configuration file. */
export function CodeBlock({ text, label }: { text: string; label: string }) {
  return (
    <div style={{ position: 'relative', textAlign: 'start' }}>
      <div style={{ position: 'absolute', top: 8, right: 8 }}>
        <CopyAs copies={[{ name: label, text: () => text }]} />
      </div>
      {/* Long lines scroll, from the keyboard too. */}
      <pre className="code" tabIndex={0} role="region" aria-label={label}>
        {text}
      </pre>
    </div>
  );
}
