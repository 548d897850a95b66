/** The content of `cuebook.d.ts`, which stands beside programs kept as files, so that an editor knows their ambient names. */
export function ambientDeclarations(): string {
  return `// Names that Cuebook's programs can use without declaring them. The checker knows the first three exactly, from
// the schemas that a program exports; here they are anything.
type Input = any;
type Output = any;
type State = any;

${playbookEventType()}
${ambientConsole()}`;
}

const EVENTS_OF_KINDS = {
  event: `{
      kind: 'event';
      event: {
        specversion: '1.0';
        source: string;
        type: string;
        id: string;
        time: string;
        subject?: string;
        data?: any;
        [attribute: string]: any;
      };
    }`,
  run: `{
      kind: 'run';
      change: 'started' | 'succeeded' | 'rejected' | 'failed';
      run_id: string;
      type: string;
      name: string;
      version: number;
      attempt: number;
      input: any;
      output?: any;
      rejection?: { reason: string; kind?: string; because?: string; detail: string };
    }`,
  change: `{ kind: 'change'; change: 'created' | 'updated' | 'retired'; type: string; name: string; version: number }`,
};

/** What events of a playbook may be about. */
export type EventKind = keyof typeof EVENTS_OF_KINDS;
const EVENT_KINDS = Object.keys(EVENTS_OF_KINDS) as EventKind[];

/** An event as a recall function's `evolve` gets it, of some kinds alone. */
export function playbookEventType(kinds: readonly EventKind[] = EVENT_KINDS): string {
  const variants = kinds.map((kind) => `  | ${EVENTS_OF_KINDS[kind]}`);
  return `type PlaybookEvent = { id: string; at: string; by: string } & (\n${variants.join('\n')}\n);\n`;
}

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
