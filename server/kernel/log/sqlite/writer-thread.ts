// The thread whose connection writes to the store.
import { parentPort, workerData } from 'node:worker_threads';
import { openConnection } from './connection.ts';
import { type Batch, createWriter } from './writer.ts';

const { file } = workerData as { file: string };
const connection = openConnection(file);
const carryOut = createWriter(connection, file);

parentPort?.on('message', (message: Batch | 'close') => {
  if (message === 'close') {
    connection.database.close();
    parentPort?.close();
  } else {
    parentPort?.postMessage(carryOut(message));
  }
});
parentPort?.postMessage('ready');
