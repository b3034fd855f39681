export interface Reference {
  $ref: string
}
export type Schema = Record<string, unknown>

export interface Media {
  schema?: Schema
  example?: unknown
  examples?: Record<string, object>
}

export interface DocumentedAnswer {
  description: string
  headers?: Record<string, object>
  /** Absent where there is no body, as other standards have it. */
  content?: Record<string, Media>
}

export interface Operation {
  operationId: string
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, DocumentedAnswer | Reference>
}

/** The parts of the OpenAPI document that are worked on here. */
export interface Document {
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    responses?: Record<string, DocumentedAnswer>
    examples?: Record<string, { value: unknown }>
    headers?: Record<string, object>
  }
}

/** A reference to a component, such as `#/components/schemas/UserPage`. */
export const refer = (kind: keyof Document['components'], name: string): Reference => ({
  $ref: `#/components/${kind}/${name}`,
})

/** The name of the component that a schema refers to. */
export const nameOf = ({ $ref }: Schema): string | undefined =>
  typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : undefined

export const operationsOf = ({ paths }: Document): Operation[] => Object.values(paths).flatMap(Object.values<Operation>)
