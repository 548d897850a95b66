// What meets the ending of a called run, or an answer, while it waits for its commit: in every order of the commits, and
// with a process that ends with any of the first ones. Whatever comes first, each fact is recorded once.
import { expect, test } from 'vitest';
import type { Json } from '../../../../shared/json.ts';
import { cancelTop, PLACE, retirePlaybook, startTop } from '../../../test/durability/callers.testing.ts';
import { question } from '../../../test/durability/document.testing.ts';
import type { ProcessOptions, ServiceProcess } from '../../../test/durability/process.testing.ts';
import { breachesOf } from '../../../test/durability/record.testing.ts';
import {
  ADD_ONE,
  commitAll,
  look,
  statusesOf,
  topOf,
  useSteppedCases,
  workflow,
} from '../../../test/durability/stepped-cases.testing.ts';

const { clock, given, copy, begun, start } = useSteppedCases([
  workflow('adds', [ADD_ONE]),
  { type: 'interaction', name: 'ask', source: question('P90D') },
]);

/** Which of the commits that wait comes next, for the first ones. */
const ORDERS = [0, 1].flatMap((first) => [0, 1].map((second) => [first, second, 1]));
/** The process ends with this commit, and nobody hears of it. */
const ENDS = [undefined, 0, 1, 2];
const WAYS = ORDERS.flatMap((order) => ENDS.map((end) => ({ order, end })));

const SECONDS = 10;
const LIMITED = { ...ADD_ONE, timeout: { after: { seconds: SECONDS } } };
const asks = { call: 'interaction/ask', with: { n: '${ .n }' } };

type Meet = (service: ServiceProcess, file: string) => void;
const quietly = (asked: Promise<unknown>): void => void asked.catch(() => {});
const cancel: Meet = (service) => quietly(cancelTop(service));
const retire: Meet = (service) => quietly(retirePlaybook(service));
const timeOut: Meet = () => clock.advance(SECONDS * 1000);
const publish: Meet = ({ events }) =>
  quietly(events.publish(PLACE, { type: 'told', source: '/outside', id: 'told' }, 'developer', 'a'.repeat(32)));
const answerWith =
  (answer: Json): Meet =>
  ({ interactions }, file) => {
    const [asking] = look<{ run_id: string }>(file, `SELECT run_id FROM runs WHERE name = 'ask'`);
    quietly(interactions.answer(PLACE, String(asking?.run_id), { answer, claimedFor: undefined, by: 'ada' }));
  };
const [answer, otherAnswer] = [answerWith({ n: 5 }), answerWith({ n: 6 })];

const slow: Partial<ProcessOptions> = {
  watch: { carriedOut: () => {}, performed: () => {}, isSlow: () => true },
};

/** Commits in this order until the process ends, and has the next one do the rest. */
async function goOn(
  service: ServiceProcess,
  file: string,
  { order, end }: (typeof WAYS)[number],
): Promise<ServiceProcess> {
  for (const [index, place] of order.entries()) {
    if ((await service.settle()) === 0) break;
    await service.commit(place, index === end);
    if (index !== end) continue;
    await service.kill();
    const next = start(file);
    void next.begin();
    // Callers that got no response ask again.
    quietly(startTop(next));
    await commitAll(next);
    return next;
  }
  await commitAll(service);
  return service;
}

interface Race {
  steps: Parameters<typeof given>[0];
  meets: readonly Meet[];
  /** How the workflow may end. */
  ends: readonly string[];
  options?: Partial<ProcessOptions>;
  /** Whether all is committed that can be before they meet. */
  isWaiting?: boolean;
}

const RACES: Readonly<Record<string, Race>> = {
  'a cancel': { steps: [ADD_ONE, ADD_ONE], meets: [cancel], ends: ['succeeded', 'rejected'] },
  'a time limit': { steps: [LIMITED, ADD_ONE], meets: [timeOut], ends: ['succeeded', 'rejected'] },
  'a time limit and a cancel': { steps: [LIMITED], meets: [timeOut, cancel], ends: ['succeeded', 'rejected'] },
  'the retirement of the playbook': { steps: [ADD_ONE], meets: [retire], ends: ['succeeded', 'rejected'] },
  'an event that another caller publishes': { steps: [ADD_ONE, ADD_ONE], meets: [publish], ends: ['succeeded'] },
  'a time limit, after a start that was recorded by itself': {
    steps: [LIMITED],
    meets: [timeOut],
    ends: ['succeeded', 'rejected'],
    options: slow,
  },
  'a cancel of the workflow above a called workflow': {
    steps: [{ call: 'workflow/adds', with: { n: '${ .n }' } }, ADD_ONE],
    meets: [cancel],
    ends: ['succeeded', 'rejected'],
  },
  'two answers': { steps: [asks, ADD_ONE], meets: [answer, otherAnswer], ends: ['succeeded'], isWaiting: true },
  'the same answer twice': { steps: [asks], meets: [answer, answer], ends: ['succeeded'], isWaiting: true },
  'an answer and a cancel': {
    steps: [asks],
    meets: [answer, cancel],
    ends: ['succeeded', 'rejected'],
    isWaiting: true,
  },
};

test.each(Object.keys(RACES))('given %s at the same time, then each run ends once, whatever is first', async (name) => {
  const { steps, meets, ends, options = {}, isWaiting = false } = RACES[name] as Race;
  const seen = new Set<string>();
  const saved = await given(steps);
  for (const way of WAYS) {
    const file = copy(saved);
    const service = await begun(file, options);
    if (isWaiting) await commitAll(service);
    else await service.settle();
    for (const meet of meets) meet(service, file);
    const last = await goOn(service, file, way);
    if ((await topOf(last)).status === 'started') {
      // The answer or the cancel was lost with the process, before anybody heard of it.
      for (const meet of meets) meet(last, file);
      await commitAll(last);
    }
    const { status } = await topOf(last);
    expect(ends, JSON.stringify(way)).toContain(status);
    seen.add(status);
    const statuses = statusesOf(file).filter((one) => one.endsWith(' started'));
    expect([statuses, breachesOf(file)], JSON.stringify(way)).toEqual([[], []]);
    await last.kill();
  }
  expect([...seen].toSorted()).toEqual([...ends].toSorted());
});
