import type { Part } from '../part.js'

const mebibyte = 2 ** 20

/** Last of the parts: what the others have left behind. */
export const memory: Part = {
  description: 'resident memory of the server after the other parts, MiB',
  everySize: true,
  run: async (bench) => [{ name: 'memory', values: { MiB: (await bench.memory()) / mebibyte } }],
}
