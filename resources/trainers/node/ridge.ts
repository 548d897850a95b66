// Weighted ridge regression: minimises the sum of weight * (target - bias - features * weights)^2 + penalty * |weights|^2.

/** What a regression needs to know of its rows; the sums of two sets of rows are those of both. */
export interface Sums {
  /** Features and bias, by features and bias: the lower triangle. */
  gram: Float64Array;
  /** Features and bias. */
  product: Float64Array;
  weight: number;
}

export function createSums(features: number): Sums {
  const size = features + 1;
  return { gram: new Float64Array(size * size), product: new Float64Array(size), weight: 0 };
}

/** Adds a row to the sums that every step shares. */
export function addRow(sums: Sums, features: Float32Array, weight: number): void {
  const size = sums.product.length;
  sums.weight += weight;
  for (let i = 0; i < size; i += 1) {
    const value = weight * (i < features.length ? (features[i] ?? 0) : 1);
    if (value === 0) continue;
    for (let j = 0; j <= i; j += 1) {
      const at = i * size + j;
      sums.gram[at] = (sums.gram[at] ?? 0) + value * (j < features.length ? (features[j] ?? 0) : 1);
    }
  }
}

export function addTarget(sums: Sums, features: Float32Array, target: number, weight: number): void {
  const { product } = sums;
  for (let i = 0; i < product.length; i += 1) {
    product[i] = (product[i] ?? 0) + weight * target * (i < features.length ? (features[i] ?? 0) : 1);
  }
}

export function added(...all: readonly Sums[]): Sums {
  const sum = createSums((all[0]?.product.length ?? 1) - 1);
  for (const { gram, product, weight } of all) {
    gram.forEach((value, at) => {
      sum.gram[at] = (sum.gram[at] ?? 0) + value;
    });
    product.forEach((value, at) => {
      sum.product[at] = (sum.product[at] ?? 0) + value;
    });
    sum.weight += weight;
  }
  return sum;
}

/**
 * The weights of the features, then the bias, which has no penalty. The penalty is on the distance from a forecast that
 * is one of the features, or 0.
 * @param penalty as a share of the sum of the rows' weights
 * @param base the number of that feature
 */
export function solve({ gram, product, weight }: Sums, penalty: number, base?: number): Float64Array {
  const size = product.length;
  const factor = Float64Array.from(gram);
  for (let i = 0; i < size; i += 1) {
    const ridge = i < size - 1 ? penalty : 1e-12;
    factor[i * size + i] = (factor[i * size + i] ?? 0) + ridge * Math.max(weight, Number.MIN_VALUE);
  }
  // Cholesky: the matrix is the product of a lower triangle and its transpose.
  for (let i = 0; i < size; i += 1) {
    for (let j = 0; j <= i; j += 1) {
      let sum = factor[i * size + j] ?? 0;
      for (let k = 0; k < j; k += 1) sum -= (factor[i * size + k] ?? 0) * (factor[j * size + k] ?? 0);
      factor[i * size + j] = i === j ? Math.sqrt(Math.max(sum, Number.EPSILON)) : sum / (factor[j * size + j] ?? 1);
    }
  }
  // What the base leaves of the targets: the base's own product is a column of the matrix.
  const solution = product.map((value, i) =>
    base === undefined ? value : value - (gram[Math.max(i, base) * size + Math.min(i, base)] ?? 0),
  );
  for (let i = 0; i < size; i += 1) {
    let sum = solution[i] ?? 0;
    for (let k = 0; k < i; k += 1) sum -= (factor[i * size + k] ?? 0) * (solution[k] ?? 0);
    solution[i] = sum / (factor[i * size + i] ?? 1);
  }
  for (let i = size - 1; i >= 0; i -= 1) {
    let sum = solution[i] ?? 0;
    for (let k = i + 1; k < size; k += 1) sum -= (factor[k * size + i] ?? 0) * (solution[k] ?? 0);
    solution[i] = sum / (factor[i * size + i] ?? 1);
  }
  if (base !== undefined) solution[base] = (solution[base] ?? 0) + 1;
  return solution;
}
