/** A kind of captcha, by the setting `captcha.type`. */
export interface CaptchaKind {
  /** What clients know it by. */
  captchaType: 'graphical' | 'pow'
  /**
   * A new question: what is kept to judge the answer, what the client is shown, and how to find an answer. `countFailures`
   * tells how often the address that asks has failed to sign in.
   */
  create(
    countFailures: () => Promise<number>,
  ): Promise<{ kept: string; shown: { image?: string; challenge?: object }; solve: () => Promise<string> }>
  matches(kept: string, submitted: string): Promise<boolean>
}
