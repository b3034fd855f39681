import { median, type Part } from '../part.js'

const starts = 3

export const start: Part = {
  description: 'from the start of the process until it listens, milliseconds',
  everySize: false,
  sharesCores: true,
  async run({ startServer }) {
    const times: number[] = []
    for (let count = 0; count < starts; count++) {
      const begin = performance.now()
      const server = await startServer()
      times.push(performance.now() - begin)
      await server.stop()
    }
    return [{ name: 'start', values: { milliseconds: median(times) } }]
  },
}
