// npm run chaos [-- FAULTS]: prints what was done, and ends with 1 where something does not hold.
import { bringChaos } from './bring-chaos.ts';

const FAULTS_OF_A_LONG_RUN = 500;

const { summary, breaches } = await bringChaos(Number(process.argv[2] ?? FAULTS_OF_A_LONG_RUN));
console.log(summary);
for (const breach of breaches) console.error(breach);
if (breaches.length > 0) process.exitCode = 1;
else console.log('Everything holds.');
