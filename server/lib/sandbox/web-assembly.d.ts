// The part of the WebAssembly JavaScript Interface that the sandbox uses; Node has it, its types do not.
declare namespace WebAssembly {
  interface Module {
    readonly [Symbol.toStringTag]: 'WebAssembly.Module';
  }
  class Memory {
    constructor(descriptor: { initial: number; maximum: number });
    readonly buffer: ArrayBuffer;
  }
  function compile(bytes: Uint8Array): Promise<Module>;
}
