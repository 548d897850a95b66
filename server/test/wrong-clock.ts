// For `node --import`: the process's clock differs from the machine's by CLOCK_OFF_MS milliseconds. SIGUSR2 turns the sign,
// as if somebody set the clock. Timers run on, as they do then.
const System = Date;
let off = Number(process.env['CLOCK_OFF_MS']);
process.on('SIGUSR2', () => (off = -off));

globalThis.Date = new Proxy(System, {
  construct: (_target, given: unknown[]) => Reflect.construct(System, given.length === 0 ? [now()] : given) as object,
  apply: () => new System(now()).toString(),
  get: (target, name): unknown => (name === 'now' ? now : Reflect.get(target, name)),
});

function now(): number {
  return System.now() + off;
}
