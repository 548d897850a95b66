// Starts a script with a Node that can run Cuebook: this one where it is new enough, else the one that
// `npm ci` brought for this platform. Plain JavaScript, so that any Node can read it.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const NEEDED = [22, 18];

/**
 * Node sizes its nursery by the machine's memory: on a large one it lets more than 100 MB of garbage stand. 8 MiB a
 * half keep a busy server small.
 */
const NODE_FLAGS = ['--max-semi-space-size=8', '--heap-growing-percent=40'];

/**
 * With glibc, each thread has memory of its own to allocate from, and what it frees stays there: a server with six
 * threads keeps 60 MB that nothing uses. They share one instead. Other systems ignore it.
 */
const ALLOCATION = { MALLOC_ARENA_MAX: '1' };

function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1]);
}

function findNode() {
  if (isNewEnough(process.versions.node)) return process.execPath;
  for (const folder of ['../node_modules', '../..']) {
    const brought = fileURLToPath(
      new URL(`${folder}/node-${process.platform}-${process.arch}/bin/node`, import.meta.url),
    );
    if (existsSync(brought)) return brought;
  }
  return undefined;
}

/** As in server/interfaces/cli/stop-request.ts. */
const ONE_REQUEST_MS = 1000;

/**
 * Runs `script` with `args` and exits as it exits. With `tied`, the script has a channel to this process and stops when
 * the channel closes: at the first signal, or because this process was killed. A signal often reaches the script as
 * well, sent to the whole process group. The closed channel cannot be taken for a second signal, as one passed on can. So
 * signals within a second of the first, which are the same request, are not passed on either: on a busy machine they would
 * arrive late enough to be taken for another request.
 */
export function launch(script, args, { tied = false } = {}) {
  const node = findNode();
  if (node === undefined) {
    console.error(
      `Cuebook needs Node ${NEEDED.join('.')} or newer, and this is Node ${process.versions.node}. Install a newer Node, then run the same command again.`,
    );
    process.exitCode = 2;
    return;
  }
  const child = spawn(node, [...NODE_FLAGS, script, ...args], {
    stdio: tied ? ['inherit', 'inherit', 'inherit', 'ipc'] : 'inherit',
    // Modules are compiled and their types stripped once, and not at every start.
    env: {
      NODE_COMPILE_CACHE: fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)),
      ...ALLOCATION,
      ...process.env,
    },
  });
  let requestedAt = -Infinity;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (child.connected) {
        requestedAt = performance.now();
        child.disconnect();
      } else if (performance.now() - requestedAt < ONE_REQUEST_MS) return;
      // A terminal sends SIGINT to the whole group already.
      else if (!(signal === 'SIGINT' && process.stdin.isTTY)) child.kill(signal);
    });
  }
  child.on('error', (error) => {
    console.error(`Cuebook could not start ${node}: ${error.message}`);
    process.exitCode = 2;
  });
  child.on('exit', (code, signal) => {
    // At once: while it ends by itself, a signal that is sent again would kill it.
    process.exit(code ?? (signal === 'SIGKILL' ? 137 : 1));
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const args = process.argv.slice(2);
  const tied = args[0] === '--tied';
  const [script, ...rest] = tied ? args.slice(1) : args;
  if (script === undefined) {
    console.error('Usage: node bin/launch.js [--tied] SCRIPT [ARGUMENTS]');
    process.exitCode = 2;
  } else launch(script, rest, { tied });
}
