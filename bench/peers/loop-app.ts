// The bare loop: computes each step and commits it to SQLite before the next, and nothing else.
import Database from 'better-sqlite3';
import { serveWorkflows, tenSteps } from './app.ts';

const database = new Database(String(process.argv[2]));
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.exec('CREATE TABLE steps (id INTEGER PRIMARY KEY, result TEXT NOT NULL)');
const insert = database.prepare('INSERT INTO steps (result) VALUES (?)');

const commitEach = (): Promise<unknown> =>
  tenSteps(async (n) => {
    insert.run(JSON.stringify({ n: n + 1 }));
    // Each commit holds the one thread of the program. Without this, a workflow would keep all others waiting until
    // its tenth.
    await new Promise((resolve) => setImmediate(resolve));
    return n + 1;
  });

await serveWorkflows({ calls: commitEach, runs: commitEach, waits: commitEach });
