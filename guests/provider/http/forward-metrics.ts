import type { FastifyInstance } from 'fastify'

/** Counts what proxies ask of protected hosts, where metrics are on. The label `client` is empty for hosts that are no application's. */
export const createMetrics = async ({ metrics }: Pick<FastifyInstance, 'metrics'>) => {
  if (!metrics) return { count: (): void => undefined }
  const { Counter } = await import('prom-client')
  const requests = new Counter({
    name: 'rollcall_forward_requests_total',
    help: 'Requests for protected hosts, by what became of them',
    labelNames: ['client', 'result'],
    registers: metrics.registers,
  })
  return { count: (client: string, result: string): void => requests.inc({ client, result }) }
}
