// The part of jq's grammar that the subset supports. Every expression that it accepts has the same meaning in jq.
//
//   query   = expressions joined by `,` (left-associative), then by `|` (right-associative)
//   expr    = `//`, `or`, `and`, comparison, sum, product, from weakest to strongest; comparisons do not chain
//   term    = a value followed by paths
import { parseTerm } from './parse-term.ts';
import { unsupported } from './scope.ts';
import type { Operator, Query, Reader } from './syntax.ts';
import { Tokens } from './tokens.ts';

/** @throws Unsupported for an expression outside the subset, which may also be invalid in jq */
export function parse(text: string): Query {
  if (text.length > MOST_CHARACTERS) throw unsupported();
  const reader = new Parser(text);
  const query = reader.query();
  if (reader.tokens.ahead.kind !== 'end') throw unsupported();
  return query;
}

/** Also limits the depth of the tree on its left side. */
const MOST_CHARACTERS = 4096;
const MOST_LEVELS = 200;

const COMPARISONS: readonly Operator[] = ['==', '!=', '<', '<=', '>', '>='];
const SUMS: readonly Operator[] = ['+', '-'];
const PRODUCTS: readonly Operator[] = ['*', '/', '%'];

class Parser implements Reader {
  readonly tokens: Tokens;
  #levels = 0;

  constructor(text: string) {
    this.tokens = new Tokens(text);
  }

  query(): Query {
    return this.#nested(() => {
      let left = this.#expression();
      while (this.tokens.take(',')) left = { kind: 'comma', left, right: this.#expression() };
      return this.tokens.take('|') ? { kind: 'pipe', left, right: this.query() } : left;
    });
  }

  memberValue(): Query {
    return this.#nested(() => {
      const left = this.#expression();
      return this.tokens.take('|') ? { kind: 'pipe', left, right: this.memberValue() } : left;
    });
  }

  #expression(): Query {
    return this.#nested(() => {
      const left = this.#disjunction();
      return this.tokens.take('//') ? { kind: 'default', left, right: this.#expression() } : left;
    });
  }

  #disjunction(): Query {
    let left = this.#conjunction();
    while (this.tokens.take('or')) left = { kind: 'or', left, right: this.#conjunction() };
    return left;
  }

  #conjunction(): Query {
    let left = this.#comparison();
    while (this.tokens.take('and')) left = { kind: 'and', left, right: this.#comparison() };
    return left;
  }

  #comparison(): Query {
    const left = this.#sum();
    const operator = this.#operator(COMPARISONS);
    return operator === undefined ? left : { kind: 'operation', operator, left, right: this.#sum() };
  }

  #sum(): Query {
    return this.#chain(SUMS, () => this.#chain(PRODUCTS, () => this.#nested(() => parseTerm(this))));
  }

  #chain(operators: readonly Operator[], side: () => Query): Query {
    let left = side();
    for (let operator = this.#operator(operators); operator !== undefined; operator = this.#operator(operators)) {
      left = { kind: 'operation', operator, left, right: side() };
    }
    return left;
  }

  #operator(operators: readonly Operator[]): Operator | undefined {
    return operators.find((operator) => this.tokens.isSign(operator) && this.tokens.take(operator));
  }

  #nested(read: () => Query): Query {
    this.#levels += 1;
    if (this.#levels > MOST_LEVELS) throw unsupported();
    const query = read();
    this.#levels -= 1;
    return query;
  }
}
