/** The part of the library that is used here; it comes without types. */
declare module 'saxen' {
  type Decode = (text: string) => string

  export class Parser {
    on(event: 'error', listener: (error: Error) => void): this
    on(event: 'attention', listener: () => void): this
    on(event: 'text', listener: (text: string, decode: Decode) => void): this
    on(
      event: 'openTag',
      listener: (name: string, attributes: () => Record<string, string>, decode: Decode) => void,
    ): this
    on(event: 'closeTag', listener: (name: string) => void): this
    write(xml: string): this
    end(): Error | null
  }
}
