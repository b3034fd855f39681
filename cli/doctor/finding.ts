/** What one check of `rollcall doctor` has found. */
export interface Finding {
  check: string
  level: 'ok' | 'warning' | 'fault'
  message: string
  /** What the operator should do; absent when nothing. */
  advice?: string
}

/** Makes the findings of one check. */
export const findingsOf = (check: string) => ({
  ok: (message: string): Finding => ({ check, level: 'ok', message }),
  warning: (message: string, advice: string): Finding => ({ check, level: 'warning', message, advice }),
  fault: (message: string, advice: string): Finding => ({ check, level: 'fault', message, advice }),
})

/** The findings of `work`; an error that it throws is a fault. */
export const attempt = async (
  check: string,
  work: () => Promise<Finding[]> | Finding[],
  advice = 'Correct this and run the command again.',
): Promise<Finding[]> => {
  try {
    return await work()
  } catch (error) {
    return [findingsOf(check).fault((error as Error).message, advice)]
  }
}
