/** RFC 3339, UTC, of epoch milliseconds. */
export const toTime = (time: number): string => new Date(time).toISOString()
