import { isLoopback } from '../../lib/loopback.js'
import type { Settings } from '../../schemas/settings.js'
import { scopes } from './clients/settings.js'
import { spellingsOf } from './resources.js'
import type {} from './settings.js'

type Provider = Settings['provider']
interface Fault {
  path: string
  message: string
}

const reserved: string[] = [...scopes, 'offline_access']

const withoutSlash = (url: string): string => url.replace(/\/$/, '')

const issuerFault = (issuer: string): string | undefined => {
  const because = 'because provider.enabled is true'
  if (!issuer.includes('://'))
    return `must be the address at which people open the service, such as https://id.example.com, ${because}`
  const { protocol, hostname } = new URL(issuer)
  if (protocol === 'https:' || isLoopback(hostname.replace(/^\[|\]$/g, ''))) return undefined
  return `must begin with https://, ${because}; http is for this machine alone, such as http://localhost:3000`
}

const path = 'provider'

const addressFault = (id: string): string | undefined => {
  const text = 'must be an address such as https://notes.example.com/mcp, without #'
  if (/[\s#\\*]/.test(id) || !URL.canParse(id)) return text
  const { href, protocol, hostname, username } = new URL(id)
  if (username !== '' || !spellingsOf(id).includes(href)) return text
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname.replace(/^\[|\]$/g, '')))
    ? undefined
    : `${text}; http is for this machine alone`
}

/** A token for a service must not be one for Rollcall, or for a service that takes Rollcall's own. */
const resourceFaults = (resources: Provider['resources'], audiences: string[]): Fault[] =>
  resources.flatMap(({ id, scopes: own }, index) => {
    const fault = addressFault(id)
    if (fault !== undefined) return [{ path: `${path}.resources.${index}.id`, message: fault }]
    const spellings = spellingsOf(id)
    const isTaken = audiences.some((one) => spellings.includes(one))
    const isTwice = resources.findIndex((other) => spellings.includes(other.id)) < index
    const known = own.find((scope) => reserved.includes(scope))
    return [
      ...(isTaken
        ? [{ path: `${path}.resources.${index}.id`, message: 'is an audience of access tokens already' }]
        : []),
      ...(isTwice ? [{ path: `${path}.resources.${index}.id`, message: 'is there twice' }] : []),
      ...(known === undefined
        ? []
        : [{ path: `${path}.resources.${index}.scopes`, message: `${known} is a scope of OpenID Connect` }]),
    ]
  })

const isDocumentAddress = (text: string): boolean =>
  /^https:\/\/[^\s#\\@*?]+$/.test(text) &&
  URL.canParse(text) &&
  new URL(text).href === text &&
  new URL(text).pathname !== '/'

const documentFaults = (documents: string[], resources: Provider['resources']): Fault[] => [
  ...documents.flatMap((text, index) =>
    isDocumentAddress(text)
      ? []
      : [
          {
            path: `${path}.clientDocuments.${index}`,
            message:
              'must be an address with a path such as https://app.example.com/client.json, or one that ends with / for all below it',
          },
        ],
  ),
  ...(documents.length > 0 && resources.length === 0
    ? [
        {
          path: `${path}.resources`,
          message:
            'must name a service, because provider.clientDocuments lists applications, which get tokens for services only',
        },
      ]
    : []),
]

/** What single sign-on needs and does not find. All of it at once. */
export const faultsOf = ({
  provider: { enabled, signInPage, resources, clientDocuments },
  issuer,
  audience,
  clients,
  publicUrl,
  pages,
}: Settings): Fault[] => {
  if (!enabled) return []
  const issuerMessage = issuerFault(issuer)
  const differs = publicUrl !== null && !issuerMessage && withoutSlash(publicUrl) !== withoutSlash(issuer)
  return [
    ...(issuerMessage ? [{ path: 'issuer', message: issuerMessage }] : []),
    ...(differs
      ? [
          {
            path: 'publicUrl',
            message: `must be the same address as issuer, or null, because provider.enabled is true`,
          },
        ]
      : []),
    ...(!pages.signIn && signInPage === null
      ? [
          {
            path: 'provider.signInPage',
            message: 'must be the path of a sign-in page, because provider.enabled is true and pages.signIn is false',
          },
        ]
      : []),
    ...resourceFaults(resources, [audience, ...Object.values(clients).flatMap(({ audiences }) => audiences)]),
    ...documentFaults(clientDocuments, resources),
  ]
}
