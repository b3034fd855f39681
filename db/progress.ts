/** Receives the progress of a long task. */
export type ReportProgress = (what: string, done: number, total: number) => void
