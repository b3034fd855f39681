/** A kind of captcha, by the setting `captcha.type`. */
export interface CaptchaKind {
  captchaType: 'graphical' | 'pow'
  /**
   * Creates a captcha: the data stored to check the answer, the fields of the response, and a function that solves it.
   * `countFailures` resolves to the failed sign-ins of the network address of the request.
   */
  create(
    countFailures: () => Promise<number>,
  ): Promise<{ stored: string; shown: { image?: string; challenge?: object }; solve: () => Promise<string> }>
  matches(stored: string, submitted: string): Promise<boolean>
}
