// The baseline: a bare Fastify route with one durable SQLite commit per request.
import Database from 'better-sqlite3';
import fastify from 'fastify';

const database = new Database(String(process.argv[2]));
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.exec('CREATE TABLE facts (position INTEGER PRIMARY KEY, data TEXT NOT NULL)');
const insert = database.prepare('INSERT INTO facts (data) VALUES (?)');

const app = fastify();
app.post('/facts', async (request) => ({ position: insert.run(JSON.stringify(request.body)).lastInsertRowid }));
console.log(`listens on ${await app.listen({ host: '127.0.0.1', port: 0 })}`);
