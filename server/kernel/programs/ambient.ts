/** The content of `cuebook.d.ts`, which stands beside programs kept as files, so that an editor knows their ambient names. */
export function ambientDeclarations(): string {
  return `// Names that Cuebook's programs can use without declaring them. The checker knows the first three exactly, from
// the schemas that a program exports; here they are anything.
type Input = any;
type Output = any;
type State = any;

${PLAYBOOK_EVENT}
${ambientConsole()}`;
}

/** An event as a recall function's \`evolve\` gets it. */
export const PLAYBOOK_EVENT = `type PlaybookEvent = { id: string; at: string; by: string } & (
  | { kind: 'event'; event: { source: string; type: string; id: string; time: string; subject?: string; data?: unknown } }
  | {
      kind: 'run';
      change: 'started' | 'succeeded' | 'rejected' | 'failed';
      run_id: string;
      type: string;
      name: string;
      version: number;
      attempt: number;
      input: unknown;
      output?: unknown;
      rejection?: { reason: string; kind?: string; because?: string; detail: string };
    }
  | { kind: 'change'; change: 'created' | 'updated' | 'retired'; type: string; name: string; version: number }
);
`;

export function ambientConsole(): string {
  return `declare const console: {
  log(...values: unknown[]): void;
  info(...values: unknown[]): void;
  warn(...values: unknown[]): void;
  error(...values: unknown[]): void;
  debug(...values: unknown[]): void;
};
`;
}
