// The process: arguments in, exit code out.
import { main } from './cli/program.ts';

// The sandbox takes its zone from the process, and a program meets the same times on every machine.
process.env['TZ'] = 'UTC';
// Whoever read the output may go away: what was asked for is done all the same.
for (const output of [process.stdout, process.stderr]) {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
// A launcher that was killed could pass nothing on: what it would have passed on is done here.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// Listening for that alone keeps no process alive.
process.channel?.unref();
process.exitCode = await main(process.argv.slice(2));
// The port to a desktop app would keep the process alive.
if ('parentPort' in process && process.parentPort !== undefined) process.exit();
