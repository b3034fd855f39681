import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Whether a browser sent the request. Browsers add Fetch Metadata, but only for https and localhost; they add
     * `Origin` to every POST. Apps and servers send neither.
     */
    readonly isFromBrowser: boolean
  }
}

/** What a request says about the page that sent it. */
export default fp(
  async (app) => {
    app.decorateRequest('isFromBrowser', {
      getter() {
        return this.headers['sec-fetch-site'] !== undefined || this.headers.origin !== undefined
      },
    })
  },
  { name: 'browser-requests' },
)
