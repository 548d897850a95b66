// Bounds the members of Liquid's ranges. liquidjs makes a list of every range, and has no bound of its own for one.
import { type Context, evalTokenValue, Expression, TokenKind, Tokenizer, TypeGuards } from 'liquidjs';

const MOST_MEMBERS = 10_000;
export const TOO_MANY_MEMBERS = 'range too large';

type RangeToken = Extract<ReturnType<Tokenizer['readGroupOrRange']>, { lhs: unknown }>;

/** The end of a range, which is refused where it lies too far from the beginning. */
class BoundedEnd extends Expression {
  readonly #range: Pick<RangeToken, 'lhs' | 'rhs'>;

  constructor({ lhs, rhs }: RangeToken) {
    super([rhs].values());
    this.#range = { lhs, rhs };
  }

  override *evaluate(context: Context): Generator<unknown, unknown, unknown> {
    const first = yield evalTokenValue(this.#range.lhs, context);
    const last = yield evalTokenValue(this.#range.rhs, context);
    if (Number(last) - Number(first) >= MOST_MEMBERS) throw new Error(TOO_MANY_MEMBERS);
    return last;
  }
}

/** Bounds the ranges of every text that this thread parses from now on. */
export function boundRanges(): void {
  const { prototype } = Tokenizer;
  // oxlint-disable-next-line typescript/unbound-method -- called below with its tokenizer
  const read = prototype.readGroupOrRange;
  prototype.readGroupOrRange = function readBounded(): ReturnType<typeof read> {
    const token = read.call(this);
    if (token === undefined || !TypeGuards.isRangeToken(token)) return token;
    const { lhs, rhs } = token;
    if (TypeGuards.isNumberToken(lhs) && TypeGuards.isNumberToken(rhs)) {
      this.assert(Number(rhs.content) - Number(lhs.content) < MOST_MEMBERS, TOO_MANY_MEMBERS);
      return token;
    }
    // liquidjs evaluates the end of a range as it does a value with filters; this one has none.
    const end = { kind: TokenKind.FilteredValue, initial: new BoundedEnd(token), filters: [] };
    token.rhs = end as unknown as RangeToken['rhs'];
    return token;
  };
}
