import { nameOf, operationsOf, refer, type Document, type Schema } from './document.js'

interface Envelope {
  properties: { code: Schema; message: Schema; data: Schema; timestamp: Schema }
}

const isEnvelope = (schema: object): schema is Envelope => {
  const { properties = {} } = schema as { properties?: object }
  return ['code', 'message', 'data', 'timestamp'].every((field) => field in properties)
}

/**
 * `UserPageResponse` for the envelope of a `UserPage`, `EmptyResponse` for the one without a payload; undefined for a payload
 * without a name, which only routes of other plugins have.
 */
const nameOfEnvelope = ({ properties: { data } }: Envelope): string | undefined => {
  if (data['type'] === 'null') return 'EmptyResponse'
  const payload = nameOf(data)
  return payload && `${payload}Response`
}

/** Makes the envelopes components that are named after their payloads. */
export const nameEnvelopes = (document: Document): void => {
  const { schemas } = document.components
  for (const { responses } of operationsOf(document)) {
    for (const answer of Object.values(responses)) {
      const media = 'content' in answer ? answer.content['application/json'] : undefined
      if (!media?.schema || !isEnvelope(media.schema)) continue
      const name = nameOfEnvelope(media.schema)
      if (name === undefined) continue
      // The description is that of the answer.
      delete (media.schema as Schema)['description']
      schemas[name] ??= media.schema
      media.schema = { ...refer('schemas', name) }
    }
  }
}
