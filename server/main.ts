// The process: arguments in, exit code out.
import { main } from './cli/program.ts';

// The sandbox takes its zone from the process, and a program meets the same times on every machine.
process.env['TZ'] = 'UTC';
process.exitCode = await main(process.argv.slice(2));
