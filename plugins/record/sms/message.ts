export interface TextMessage {
  /** E.164. */
  phone: string
  /** The one-time code in the text; absent in notices. */
  code?: string
  text: string
  language: string
}

/** Resolves when the provider has accepted the message; rejects when it has not. */
export type SmsSender = (message: TextMessage) => Promise<void>
