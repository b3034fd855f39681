import {
  Type,
  type IntegerOptions,
  type SchemaOptions,
  type StringOptions,
  type Static,
  type TSchema,
} from '@sinclair/typebox'

/**
 * Refers to a named component and keeps its static type.
 * `Type.Ref` alone names the component but types it `unknown`; inlining the schema keeps the type but loses the name.
 */
export const ref = <T extends TSchema & { $id?: string }>(schema: T) =>
  Type.Unsafe<Static<T>>(Type.Ref(`${schema.$id ?? ''}#`))

/**
 * The integers that JavaScript and both database engines hold without loss. PostgreSQL fails for larger ones, so every integer
 * of a request has bounds.
 */
export const safe = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER } as const

/** Ids, times and counts. Without the format, generated clients use 32 bits, which epoch milliseconds overflow. */
export const int64 = (options: IntegerOptions = {}) => Type.Integer({ format: 'int64', ...safe, ...options })

/** Numbers of 32 bits, which generated clients take an integer without a format for. */
export const int32 = (options: IntegerOptions = {}) =>
  Type.Integer({ minimum: -(2 ** 31), maximum: 2 ** 31 - 1, ...options })

/**
 * A value that may be null. Not a union: validation would report an invalid value once per branch of the union, and the
 * serializer would try the branches.
 */
export const nullable = <T extends TSchema>(schema: T, options: SchemaOptions = {}) =>
  Type.Unsafe<Static<T> | null>({ ...schema, type: [schema['type'], 'null'], ...options })

/** A field of a request that may be `null`, which clears the value; absent, the value stays. */
export const clearable = <T extends TSchema>(schema: T) => Type.Optional(nullable(schema))

/**
 * A keyword of a request in which `null` clears fields: it is refused for all fields whose schema does not allow it. In other
 * requests such a `null` means absent.
 */
export const refusesNull = 'x-refuses-null'

/** A keyword of a text in a request: blanks at its ends and what a copy brings along unseen are left out. For names and filters, never for passwords. */
export const trimsBlanks = 'x-trims-blanks'

/**
 * Former names of a field of a request, which keep working and are not documented: a symbol is not written to the document.
 */
export const formerNames = Symbol('former names')

/** A text that is one of `values`. */
export const oneWord = <const T extends string>(values: readonly T[], options: StringOptions = {}) =>
  Type.Unsafe<T>(Type.String({ enum: [...values], ...options }))

/** A time in an answer, ISO 8601 in UTC. */
export const time = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-02-01T08:00:00.000Z'] })

/** A parameter of a query that is `true` or `false`. */
export const yesOrNo = (description: string) => Type.Optional(oneWord(['true', 'false'], { description }))

/** A name in a request, or a part of one. */
export const nameText = (description: string, options: StringOptions = {}) =>
  Type.String({ maxLength: 200, description, [trimsBlanks]: true, ...options })

/** A text by which a list is filtered. It has no example: Swagger UI would fill it in, and the first list that a user sees there would be empty. */
export const filterText = (description: string) => Type.Optional(nameText(description))
