import { beforeEach, describe, expect, test } from 'vitest';
import { ageIn, createFakeClock, createFollowingClock, stopwatch } from './clock.ts';
import { createFakeMachine, type FakeMachine } from './clock.testing.ts';

const SECOND = 1000;
const HOUR = 3_600_000;
/** Within which the wall clock is looked at. */
const LOOK = 2 * SECOND;

describe('a clock that watches the wall clock', () => {
  let machine: FakeMachine;
  let woken: string[];
  beforeEach(() => {
    machine = createFakeMachine();
    woken = [];
  });
  const wakeIn = (milliseconds: number, name: string): (() => void) =>
    machine.clock.wakeAt(machine.clock.now() + milliseconds, () => woken.push(name));

  test('wakes to the millisecond, and never before', () => {
    wakeIn(8 * HOUR, 'later');
    machine.run(8 * HOUR - 1);
    expect(woken).toEqual([]);
    machine.run(1);
    expect(woken).toEqual(['later']);
  });

  test('wakes once for what became due while the machine slept, within two seconds of its waking', () => {
    wakeIn(8 * HOUR, 'slept through');
    wakeIn(40 * HOUR, 'later');
    machine.setBy(30 * HOUR);
    machine.run(LOOK);
    expect(woken).toEqual(['slept through']);
    machine.run(10 * HOUR - LOOK - 1);
    expect(woken).toEqual(['slept through']);
    machine.run(1);
    expect(woken).toEqual(['slept through', 'later']);
    machine.run(100 * HOUR);
    expect(woken).toHaveLength(2);
  });

  test('wakes at once where a look is asked for', () => {
    wakeIn(8 * HOUR, 'slept through');
    machine.setBy(30 * HOUR);
    machine.clock.look();
    machine.run(0);
    expect(woken).toEqual(['slept through']);
  });

  test('wakes in time for what is asked for after a jump', () => {
    wakeIn(8 * HOUR, 'old');
    machine.setBy(30 * HOUR);
    wakeIn(SECOND, 'new');
    machine.run(SECOND);
    expect(woken).toEqual(['new']);
    machine.run(SECOND);
    expect(woken).toEqual(['new', 'old']);
  });

  test.each([
    ['back, then forward again', [-3 * HOUR, 3 * HOUR]],
    ['forward, then back again', [3 * HOUR, -3 * HOUR]],
    ['back twice, then forward', [-HOUR, -2 * HOUR, 3 * HOUR]],
  ])('wakes in time and once where the clock is set %s', (_how, jumps) => {
    wakeIn(8 * HOUR, 'later');
    for (const jump of jumps) {
      machine.setBy(jump);
      machine.run(LOOK);
    }
    machine.run(8 * HOUR - jumps.length * LOOK - 1);
    expect(woken).toEqual([]);
    machine.run(1);
    expect(woken).toEqual(['later']);
    machine.run(24 * HOUR);
    expect(woken).toHaveLength(1);
  });

  test('is late by as much as the clock was set back, and wakes for nothing twice', () => {
    wakeIn(HOUR, 'before');
    machine.run(HOUR);
    machine.setBy(-2 * HOUR);
    wakeIn(HOUR, 'after');
    machine.run(HOUR);
    expect(woken).toEqual(['before', 'after']);
    machine.run(24 * HOUR);
    expect(woken).toHaveLength(2);
  });

  test('wakes after an elapsed time whatever happens to the wall clock', () => {
    machine.clock.wakeAfter(30 * SECOND, () => woken.push('time-out'));
    machine.setBy(30 * HOUR);
    machine.run(29 * SECOND);
    machine.setBy(-60 * HOUR);
    machine.run(SECOND - 1);
    expect(woken).toEqual([]);
    machine.run(1);
    expect(woken).toEqual(['time-out']);
  });

  test('looks only while something waits for a time, and keeps no process alive by that', () => {
    machine.clock.wakeAfter(HOUR, () => {});
    machine.run(HOUR);
    expect(machine.looks()).toBe(0);
    const callOffs = [wakeIn(HOUR, 'one'), wakeIn(2 * HOUR, 'other')];
    machine.run(10 * SECOND);
    expect(machine.looks()).toBe(5);
    expect(machine.timers()).toBe(2);
    for (const callOff of callOffs) callOff();
    expect(machine.timers()).toBe(0);
    machine.run(HOUR);
    expect(machine.looks()).toBe(5);
    expect(woken).toEqual([]);
  });

  test('waits longer than a timer can', () => {
    wakeIn(1000 * HOUR, 'far');
    machine.clock.wakeAfter(1000 * HOUR, () => woken.push('long'));
    machine.run(1000 * HOUR - 1);
    expect(woken).toEqual([]);
    machine.run(1);
    expect(woken.toSorted()).toEqual(['far', 'long']);
  });
});

describe('how long ago something began', () => {
  test('counts a suspend where its age is meant, and not where its duration is', () => {
    const clock = createFakeClock();
    const [age, duration] = [ageIn(clock), stopwatch(clock)];
    clock.advance(SECOND);
    clock.jump(HOUR);
    expect([age(), duration()]).toEqual([HOUR + SECOND, SECOND]);
  });

  test('counts what elapsed where the clock was set back', () => {
    const clock = createFakeClock();
    const [age, duration] = [ageIn(clock), stopwatch(clock)];
    clock.advance(SECOND);
    clock.jump(-HOUR);
    clock.advance(SECOND);
    expect([age(), duration()]).toEqual([2 * SECOND, 2 * SECOND]);
  });
});

describe('a clock that follows another one', () => {
  const base = () => createFakeClock(1000);

  test('shows the time of its base until the first measurement, and wakes by it', () => {
    const machine = base();
    const clock = createFollowingClock(machine);
    const woken: number[] = [];
    clock.wakeAt(HOUR, () => woken.push(clock.now()));
    machine.jump(HOUR);
    expect(woken).toEqual([HOUR + 1000]);
  });

  test('that is fast shows that time, and wakes by it', () => {
    const machine = base();
    const clock = createFollowingClock(machine);
    clock.follow(1500);
    expect(clock.now()).toBe(1500);
    const woken: number[] = [];
    clock.wakeAt(1600, () => woken.push(clock.now()));
    machine.advance(99);
    expect(woken).toEqual([]);
    machine.advance(1);
    expect(woken).toEqual([1600]);
  });

  test('that is set back meanwhile never wakes before the time, and can be called off', () => {
    const machine = base();
    const clock = createFollowingClock(machine);
    const woken: number[] = [];
    clock.wakeAt(1100, () => woken.push(clock.now()));
    const callOff = clock.wakeAt(1100, () => woken.push(0));
    clock.follow(950);
    machine.advance(100);
    callOff();
    machine.advance(49);
    expect(woken).toEqual([]);
    machine.advance(1);
    expect(woken).toEqual([1100]);
  });

  test('that is set forward wakes for what is due, and for the rest in time', () => {
    const machine = base();
    const clock = createFollowingClock(machine);
    const woken: [string, number][] = [];
    const wakeAt = (at: number) => clock.wakeAt(at, () => woken.push([`at ${at}`, clock.now()]));
    for (const at of [121_000, 200_000]) wakeAt(at);
    const callOff = wakeAt(100_000);
    callOff();
    clock.follow(121_000);
    machine.advance(0);
    expect(woken).toEqual([['at 121000', 121_000]]);
    machine.advance(79_000);
    expect(woken.slice(1)).toEqual([['at 200000', 200_000]]);
    clock.follow(400_000);
    machine.advance(1_000_000);
    expect(woken).toHaveLength(2);
  });

  test('shows whole milliseconds, and wakes when they are reached', () => {
    const machine = base();
    const clock = createFollowingClock(machine);
    clock.follow(5000.4);
    machine.advance(0.5);
    expect(clock.now()).toBe(5000);
    const woken: number[] = [];
    clock.wakeAt(5001, () => woken.push(clock.now()));
    machine.advance(1);
    expect(woken).toEqual([5001]);
  });

  test('is woken by nothing but measurements when the clock of its machine is set, and never shows an earlier time', () => {
    const machine = base();
    const clock = createFollowingClock(machine);
    clock.follow(5000);
    const woken: number[] = [];
    clock.wakeAt(6000, () => woken.push(clock.now()));
    machine.jump(-HOUR);
    expect([clock.now(), woken]).toEqual([5000, []]);
    machine.advance(500);
    clock.follow(5500);
    machine.jump(HOUR);
    expect(woken).toEqual([]);
    clock.follow(5500);
    machine.advance(499);
    expect(woken).toEqual([]);
    machine.advance(1);
    expect(woken).toEqual([6000]);
  });

  test('shows the time after a suspend at once, and wakes with the first measurement', () => {
    const machine = base();
    const clock = createFollowingClock(machine);
    clock.follow(5000);
    const woken: number[] = [];
    clock.wakeAt(HOUR, () => woken.push(clock.now()));
    machine.jump(30 * HOUR);
    expect(clock.now()).toBe(30 * HOUR + 5000);
    expect(woken).toEqual([]);
    clock.follow(30 * HOUR + 5010);
    machine.advance(0);
    expect(woken).toEqual([30 * HOUR + 5000]);
  });
});
