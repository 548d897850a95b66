// A web service that ranks tickets with a computation of Cuebook, which runs in the same process. People can read every run and
// change the computation in the studio meanwhile.
import { createCuebook } from 'cuebook';
import { CuebookError } from 'cuebook/client';
import Fastify from 'fastify';

const PRIORITY = { playbook: 'tickets', type: 'computation', name: 'priority' };
const SOURCE = `
export const description = 'Scores how urgent a ticket is.';
export const input = {
  type: 'object',
  required: ['plan'],
  properties: { plan: { enum: ['free', 'team', 'enterprise'] }, age_hours: { type: 'number', minimum: 0 } },
};
export const output = { type: 'object', required: ['score'], properties: { score: { type: 'integer' } } };

export default function (input) {
  const weight = { free: 1, team: 2, enterprise: 4 }[input.plan];
  return { score: Math.min(100, Math.round(weight * 10 + (input.age_hours ?? 0))) };
}
`;

const cuebook = await createCuebook({ settings: { LOG_LEVEL: 'warn', ...process.env } });
const { playbooks } = await cuebook.client.call('list_playbooks', {});
if (!playbooks.some(({ id }) => id === PRIORITY.playbook)) {
  await cuebook.client.call('create_playbook', { playbook: PRIORITY.playbook, name: 'Tickets' });
  await cuebook.client.call('create_definition', { ...PRIORITY, source: SOURCE });
}

const app = Fastify();
app.post('/tickets/priority', async (request) => {
  const run = await cuebook.client.call('run_definition', { ...PRIORITY, input: request.body });
  return run.output;
});
app.setErrorHandler((error, _, reply) => {
  if (!(error instanceof CuebookError)) throw error;
  return reply.code(error.problem.status).type('application/problem+json').send(error.problem);
});
app.addHook('onClose', () => cuebook.close());

const address = await app.listen({ port: Number(process.env.APP_PORT ?? 3000) });
console.log(`Tickets at ${address}, the studio at ${cuebook.address}`);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => app.close());
