// A program as Cuebook starts it: on any platform, without a shell and without a terminal.
import type { JsonObject } from '../../../../shared/json.ts';
import { shellWords } from './shell-words.ts';

export interface Program {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

export function startableProgram(written: Program): { entry: JsonObject; notes: string[] } {
  const notes: string[] = [];
  const { command, args, env } = withContainer(withoutWrapper(written), notes);
  return {
    entry: {
      command,
      ...(args.length === 0 ? {} : { args: [...args] }),
      ...(Object.keys(env).length === 0 ? {} : { env: { ...env } }),
    },
    notes,
  };
}

/** Without `cmd /c`, which only Windows has and which is not needed there, and without `env`. */
function withoutWrapper({ command, args, env }: Program): Program {
  if (/^(?:.*[\\/])?cmd(?:\.exe)?$/i.test(command)) {
    const start = args.findIndex((word) => !word.startsWith('/'));
    const isRun = args.slice(0, Math.max(0, start)).some((word) => word.toLowerCase() === '/c');
    const [first = '', ...rest] = args.slice(Math.max(0, start));
    if (isRun) {
      const words = rest.length === 0 ? wordsOfLine(first) : [first, ...rest];
      return withoutWrapper({ command: words[0] ?? '', args: words.slice(1), env });
    }
  }
  if (/^(?:\/usr\/bin\/)?env$/.test(command) && args[0]?.startsWith('-') === false) {
    const start = args.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
    if (start !== -1) {
      const assigned = args.slice(0, start).map((word): [string, string] => {
        const at = word.indexOf('=');
        return [word.slice(0, at), word.slice(at + 1)];
      });
      return {
        command: args[start] ?? '',
        args: args.slice(start + 1),
        env: { ...env, ...Object.fromEntries(assigned) },
      };
    }
  }
  return { command, args, env };
}

/** A whole command line in one argument. */
function wordsOfLine(line: string): string[] {
  const words = shellWords(line) ?? [];
  return words.every(({ text }) => text !== undefined) ? words.flatMap(({ text }) => text ?? []) : [line];
}

const CONTAINERS = new Set(['docker', 'podman', 'nerdctl']);

/** A container needs its input open and no terminal, and gets `-e NAME` from the environment of its client. */
function withContainer({ command, args, env }: Program, notes: string[]): Program {
  const verb = args.findIndex((word) => !word.startsWith('-'));
  const run = args[verb] === 'container' ? verb + 1 : verb;
  // Others, such as `docker mcp gateway run`, are programs like any other.
  if (!CONTAINERS.has(command.replace(/\.exe$/i, '')) || args[run] !== 'run') return { command, args, env };
  const changed = args.map((word, at) => {
    if (at <= run || !/^-[dit]+$/.test(word) || !word.includes('t')) return word;
    return word.replace('t', '');
  });
  const kept = changed.filter((word, at) => word !== '-' && !(at > run && args[at] === '--tty'));
  if (kept.join(' ') !== args.join(' ')) notes.push('`-t` is left out: the server gets no terminal.');
  if (!kept.some((word) => /^-d?i$|^-id$|^--interactive(?:=true)?$/.test(word))) {
    kept.splice(run + 1, 0, '-i');
    notes.push('`-i` is added: the server reads its input.');
  }
  if (kept.some((word, at) => at > run && /^-i?di?$|^--detach(?:=true)?$/.test(word))) {
    notes.push('`-d` detaches the container: leave it out, or paste the address if the server is reached over HTTP.');
  }
  const passed = kept.flatMap((word, at) => {
    const before = kept[at - 1] ?? '';
    const name = before === '-e' || before === '--env' ? word : (/^--env=(\w+)$/.exec(word)?.[1] ?? '');
    return /^[A-Za-z_]\w*$/.test(name) && !Object.hasOwn(env, name) ? [name] : [];
  });
  return { command, args: kept, env: { ...env, ...Object.fromEntries(passed.map((name) => [name, `\${${name}}`])) } };
}
