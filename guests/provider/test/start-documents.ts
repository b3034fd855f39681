import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { Test } from 'tap'
import { temporary } from '../../../test/helpers/processes/package.js'

/** A web server with the documents of applications, by https, whose certificate this process trusts until the end of the test. */
export const startDocuments = async (t: Test) => {
  const directory = temporary(t)
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'certificate.pem')]
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'],
      ...['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', cert],
    ],
    { stdio: 'ignore' },
  )
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, readFileSync(cert, 'utf8')])
  t.teardown(() => setDefaultCACertificates(before))

  const answers = new Map<string, (response: ServerResponse) => void>()
  const asked: string[] = []
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, ({ url = '' }, response) => {
    asked.push(url)
    const answer = answers.get(url)
    if (answer) answer(response)
    else response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const origin = `https://localhost:${(server.address() as AddressInfo).port}`
  return {
    origin,
    /** The paths that were asked for. */
    asked,
    answer: (path: string, by: (response: ServerResponse) => void) => void answers.set(path, by),
    /** Publishes a document and returns its address. */
    publish(path: string, more: object = {}): string {
      const document = {
        client_id: origin + path,
        client_name: 'Notebook',
        redirect_uris: ['http://127.0.0.1/callback', 'https://notebook.example.com/callback'],
        ...more,
      }
      answers.set(path, (response) => {
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify(document))
      })
      return origin + path
    },
  }
}
