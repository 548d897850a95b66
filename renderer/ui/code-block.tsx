import './code-block.css';
import { CopyAs } from './copy-as.tsx';

/** A text with a button that copies it, for example lines of a configuration file. */
export function CodeBlock({ text, label }: { text: string; label: string }) {
  return (
    <div className="code code-block">
      {/* Long lines scroll, from the keyboard too. */}
      <pre tabIndex={0} role="region" aria-label={label}>
        {text}
      </pre>
      <CopyAs copies={[{ name: label, text: () => text }]} />
    </div>
  );
}
