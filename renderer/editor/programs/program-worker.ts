// TypeScript for programs. Each program has a hidden copy in which the parameters have types. Completion, signatures and
// hover use the copy; operations that change the text use the program itself.
import {
  initialize,
  ts,
  TypeScriptWorker,
  type Completions,
  type QuickInfo,
} from 'monaco-editor/languages/features/typescript/ts.worker.js';
import { type TypedProgram, typedProgram, type TypeScript } from './typed-program.ts';

const TYPED_SUFFIX = '.typed.ts';
const typedCopyOf = (name: string): string => name.replace(/\.ts$/, TYPED_SUFFIX);

class ProgramWorker extends TypeScriptWorker {
  readonly #typed = new Map<string, { version: string; program: TypedProgram }>();

  override getScriptFileNames(): string[] {
    const names = super.getScriptFileNames();
    return [...names, ...names.filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts')).map(typedCopyOf)];
  }

  override getScriptVersion(name: string): string {
    return super.getScriptVersion(programOf(name));
  }

  override _getScriptText(name: string): string | undefined {
    return name.endsWith(TYPED_SUFFIX) ? this.#program(programOf(name))?.text : super._getScriptText(name);
  }

  override async getCompletionsAtPosition(name: string, offset: number): Promise<Completions | undefined> {
    const program = this.#program(name);
    if (program === undefined) return undefined;
    const found = await super.getCompletionsAtPosition(typedCopyOf(name), program.typedOffset(offset));
    for (const { replacementSpan } of found?.entries ?? []) {
      if (replacementSpan !== undefined) replacementSpan.start = program.sourceOffset(replacementSpan.start);
    }
    return found;
  }

  override async getCompletionEntryDetails(name: string, offset: number, entry: string): Promise<unknown> {
    const program = this.#program(name);
    return program && super.getCompletionEntryDetails(typedCopyOf(name), program.typedOffset(offset), entry);
  }

  override async getSignatureHelpItems(name: string, offset: number, options: unknown): Promise<unknown> {
    const program = this.#program(name);
    return program && super.getSignatureHelpItems(typedCopyOf(name), program.typedOffset(offset), options);
  }

  override async getQuickInfoAtPosition(name: string, offset: number): Promise<QuickInfo | undefined> {
    const program = this.#program(name);
    const info = program && (await super.getQuickInfoAtPosition(typedCopyOf(name), program.typedOffset(offset)));
    if (program === undefined || info === undefined) return undefined;
    return { ...info, textSpan: { ...info.textSpan, start: program.sourceOffset(info.textSpan.start) } };
  }

  #program(name: string): TypedProgram | undefined {
    const source = super._getScriptText(name);
    if (source === undefined) return undefined;
    const version = super.getScriptVersion(name);
    const known = this.#typed.get(name);
    if (known?.version === version) return known.program;
    const program = typedProgram(ts.typescript as TypeScript, source);
    this.#typed.set(name, { version, program });
    return program;
  }
}

function programOf(name: string): string {
  return name.endsWith(TYPED_SUFFIX) ? `${name.slice(0, -TYPED_SUFFIX.length)}.ts` : name;
}

// oxlint-disable-next-line unicorn/prefer-add-event-listener -- replaces the handler that the import set
self.onmessage = () => initialize((context, created) => new ProgramWorker(context, created));
