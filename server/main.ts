// The process: arguments in, exit code out.
import { main } from './interfaces/cli/program.ts';

// The sandbox takes its zone from the process, and a program meets the same times on every machine.
process.env['TZ'] = 'UTC';
// The reader of the output may go away: the command is completed nevertheless.
for (const output of [process.stdout, process.stderr]) {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
// The launcher was stopped or killed. A command that handles SIGTERM handles this as well (cli/stop-request.ts).
process.once('disconnect', () => {
  if (process.listenerCount('SIGTERM') === 0) process.kill(process.pid, 'SIGTERM');
});
// Listening for that alone keeps no process alive.
process.channel?.unref();
process.exitCode = await main(process.argv.slice(2));
// The port to a desktop app would keep the process alive. One that ends by itself first stops listening for signals, so that
// a signal that is sent again in its last milliseconds would kill it.
const hasPort = 'parentPort' in process && process.parentPort !== undefined;
if (hasPort || process.listenerCount('SIGTERM') > 0) process.exit();
