/** What a part has to work with. */
export interface BenchContext {
  /** Address of Rollcall. */
  url: string
  /** Address of the bare routes. */
  bareUrl: string
  /** Authorization header of an administrator. */
  headers: Record<string, string>
  /** Body of a sign-in that succeeds. */
  signIn: string
  /** Seconds of one measurement. */
  seconds: number
}

/** One line of the table. */
export interface Figure {
  name: string
  perSecond: number
  limitPerSecond: number
  /** perSecond / limitPerSecond. */
  ratio: number
  /** The ratio that the design asks for. */
  target: number
}

export type Part = (context: BenchContext) => Promise<Figure[]>
