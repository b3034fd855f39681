/** The connection to PostgreSQL was refused, lost or too slow. */
export class ConnectionError extends Error {
  constructor(cause: Error) {
    super(`PostgreSQL does not answer: ${cause.message}`, { cause })
  }
}

/**
 * The server cannot serve now. By the classes of its error codes: 08 connection, 28 sign-in, 3D no such database, 53
 * resources, 57 stopped by an operator or a time limit, 58 system. Single codes: standby (25006), idle transaction (25P03),
 * lock not free (55P03), and conflicts that remain after all runs of a transaction (40001, 40P01).
 */
const outages = /^(?:(?:08|28|3D|53|57|58)...|25006|25P03|55P03|40001|40P01)$/

/** Whether an error means that the server cannot serve now; otherwise the query was wrong. */
export const isPostgresOutage = (error: Error & { code?: unknown }): boolean =>
  error instanceof ConnectionError || (typeof error.code === 'string' && outages.test(error.code))
