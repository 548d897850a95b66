// The part of the WebAssembly JavaScript Interface that the workers of jq use; Node has it, its types do not.
declare namespace WebAssembly {
  type Imports = Record<string, Record<string, unknown>>;
  interface Instance {
    readonly exports: Record<string, unknown>;
  }
  function instantiate(module: Module, imports: Imports): Promise<Instance>;
}
