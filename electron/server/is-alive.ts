const PATIENCE_MS = 2_000;

/** Whether a server answers at an address. */
export async function isAlive(address: string): Promise<boolean> {
  try {
    const { status } = await fetch(`${address}/health`, { signal: AbortSignal.timeout(PATIENCE_MS) });
    return status === 200;
  } catch {
    return false;
  }
}
