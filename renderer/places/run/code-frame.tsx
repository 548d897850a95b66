import './run-ending.css';

/** How many lines are shown before and after the line. */
const AROUND = 2;

export interface CodeFrameProps {
  source: string;
  line: number;
  label: string;
  /** The line failed. */
  isError?: boolean;
}

/** A line of source code with the lines around it. */
export function CodeFrame({ source, line, label, isError = false }: CodeFrameProps) {
  const lines = source.split('\n');
  const first = Math.max(1, line - AROUND);
  const shown = lines.slice(first - 1, line + AROUND);
  return (
    <div className="code-frame" data-error={isError || undefined} role="group" aria-label={label} tabIndex={0}>
      {shown.map((text, index) => (
        <div key={first + index} aria-current={first + index === line || undefined}>
          <span className="code-frame-number">{first + index}</span>
          {text}
        </div>
      ))}
    </div>
  );
}
