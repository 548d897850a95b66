// Names for servers, from what starts them or where they are.

/** Programs that start another one, which their arguments name. */
const STARTERS = new Set(
  'npx npx.cmd uvx uv bunx pnpm pnpx yarn npm node python python3 py docker podman deno bun pipx cmd env'.split(' '),
);
const VERBS = new Set(['run', 'dlx', 'exec', 'tool', 'x', '/c', 'npx', '-c']);
/** Options of docker and uv with a value of their own. */
const WITH_VALUE = new Set(
  `-v --volume -e --env --env-file -p --publish --name --network --mount -w --workdir -u --user --entrypoint --platform
  --from --with --directory --project --python --package --cache -l --label --add-host`.split(/\s+/),
);

export function programName(command: string, args: readonly string[]): string {
  const own = baseName(command);
  if (!STARTERS.has(own.toLowerCase())) return own;
  const started = args.find(
    (word, at) =>
      !word.startsWith('-') && !VERBS.has(word) && !/^[\w.-]+=(?!=)/.test(word) && !WITH_VALUE.has(args[at - 1] ?? ''),
  );
  return started === undefined ? own : baseName(withoutVersion(started));
}

/** `@scope/name@1.2`, `name==1.2` and `image:tag` without what follows the name. */
function withoutVersion(started: string): string {
  const last = Math.max(started.lastIndexOf('/'), started.lastIndexOf('\\')) + 1;
  const [name = ''] = started.slice(last).split(/(?<!^)[@:<>=!~]/);
  return name === '' ? started : started.slice(0, last) + name;
}

/** The last part of a path or a package's name, without what names of servers have in common. */
export function baseName(text: string): string {
  const last = text.split(/[/\\]/).findLast((part) => part !== '') ?? text;
  const bare = last.replace(/\.(?:json|ya?ml|[cm]?[jt]s|py|exe|cmd)$/i, '');
  return bare.replace(/^(?:mcp-server|server|mcp)-|-(?:mcp-server|mcp|server)$/gi, '') || bare;
}

/** The part of a host's name that says most: `api.example.com` is `example`. */
export function hostName({ hostname }: URL): string {
  if (/^[\d.]+$|:/.test(hostname)) return 'server';
  const parts = hostname.split('.').filter((part) => !['www', 'api', 'mcp'].includes(part));
  return parts.at(-2) ?? parts[0] ?? hostname;
}
