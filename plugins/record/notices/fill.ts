/** Puts values in the place of `{names}`. */
export const fill = (text: string, values: Record<string, string | number>): string =>
  text.replace(/\{(\w+)\}/g, (_match, name: string) => String(values[name] ?? ''))
