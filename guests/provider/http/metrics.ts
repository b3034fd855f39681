import type { FastifyInstance } from 'fastify'

export interface SingleSignOnMetrics {
  authorized: (client: string) => void
  issued: (client: string, grant: string) => void
  refused: (client: string, reason: string) => void
}

const none: SingleSignOnMetrics = { authorized: () => undefined, issued: () => undefined, refused: () => undefined }

/** Metrics of single sign-on, where metrics are on. The label `client` is empty for ids that are no application: anybody can send any. */
export const createMetrics = async ({
  metrics,
  db,
}: Pick<FastifyInstance, 'metrics' | 'db'>): Promise<SingleSignOnMetrics> => {
  if (!metrics) return none
  const { Counter, Gauge } = await import('prom-client')
  const { registers } = metrics
  const authorizations = new Counter({
    name: 'rollcall_sso_authorizations_total',
    help: 'Sign-ins to applications: codes that were given to them',
    labelNames: ['client'],
    registers,
  })
  const tokens = new Counter({
    name: 'rollcall_sso_tokens_total',
    help: 'Answers of the token endpoint with tokens, by what they were given for',
    labelNames: ['client', 'grant'],
    registers,
  })
  const refusals = new Counter({
    name: 'rollcall_sso_refusals_total',
    help: 'What was refused applications, by the error of the protocol',
    labelNames: ['client', 'reason'],
    registers,
  })
  new Gauge({
    name: 'rollcall_sso_pending_logouts',
    help: 'Sign-outs of which applications wait to be told',
    registers,
    async collect() {
      this.set(await db.providerLogouts.size())
    },
  })
  return {
    authorized: (client) => authorizations.inc({ client }),
    issued: (client, grant) => tokens.inc({ client, grant }),
    refused: (client, reason) => refusals.inc({ client, reason }),
  }
}
