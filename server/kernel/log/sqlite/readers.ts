import { type Connection, openConnection } from './connection.ts';

/** The most concurrent reads: each has its own connection, and further reads wait for one. */
const MOST_READERS = 8;

/** The connections that read. They are opened when they are needed, and kept. */
export class Readers {
  readonly #file: string;
  readonly #idle: Connection[] = [];
  readonly #waiting: ((reader: Connection) => void)[] = [];
  #count = 0;
  #isClosed = false;

  constructor(file: string) {
    this.#file = file;
  }

  /** Adds a connection that is open already. */
  add(reader: Connection): void {
    this.#idle.push(reader);
    this.#count += 1;
  }

  async read<T>(work: (reader: Connection) => Promise<T>): Promise<T> {
    const reader = this.#idle.pop() ?? (await this.#another());
    try {
      reader.beginRead();
      return await work(reader);
    } finally {
      reader.endRead();
      const next = this.#waiting.shift();
      if (next !== undefined) next(reader);
      else if (this.#isClosed) reader.database.close();
      else this.#idle.push(reader);
    }
  }

  /** A read in progress closes its connection when it ends. */
  close(): void {
    this.#isClosed = true;
    for (const reader of this.#idle) reader.database.close();
  }

  async #another(): Promise<Connection> {
    if (this.#count >= MOST_READERS) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#count += 1;
    return openConnection(this.#file);
  }
}
