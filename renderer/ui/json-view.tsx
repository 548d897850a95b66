import { CopyAs } from './copy-as.tsx';

/** A value as JSON, whole. */
export function JsonView({ value, label }: { value: unknown; label: string }) {
  const text = JSON.stringify(value, undefined, 2) ?? 'nothing';
  return (
    <div style={{ position: 'relative' }}>
      <div style={{ position: 'absolute', top: 8, right: 8 }}>
        <CopyAs copies={[{ name: 'JSON', text: () => text }]} />
      </div>
      <pre className="code" tabIndex={0} aria-label={label} style={{ maxHeight: 420 }}>
        {text}
      </pre>
    </div>
  );
}
