// For `node --import`: writes a line to stderr for each connection that the process opens and each datagram that it sends.
import dgram from 'node:dgram';
import net from 'node:net';

type Method = (...args: unknown[]) => unknown;

function report(owner: object, name: string, words: (args: readonly unknown[]) => string): void {
  const methods = owner as Record<string, Method>;
  const original = methods[name];
  if (original === undefined) throw new Error(`There is no method ${name} to watch.`);
  methods[name] = function reported(this: unknown, ...args) {
    process.stderr.write(`CONNECTS ${words(args)}\n`);
    return original.apply(this, args);
  };
}

/** `connect` gets its arguments as they are, or normalized in a list. */
report(net.Socket.prototype, 'connect', ([first]) => {
  const options = Array.isArray(first) ? (first[0] as unknown) : first;
  const { host, port, path } = Object(options) as { host?: string; port?: number; path?: string };
  return path ?? `${host ?? 'localhost'}:${port ?? String(options)}`;
});
report(dgram.Socket.prototype, 'send', () => 'with a datagram');
