/** What a header such as `Accept` or `Accept-Language` names, the most wanted first (RFC 9110 12.4.2). What it refuses is left out. */
export const readAccept = (header: string): string[] =>
  header
    .toLowerCase()
    .split(',')
    .map((entry) => {
      const [name = '', ...parameters] = entry.split(';').map((part) => part.trim())
      const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice('q='.length) ?? '1'
      return { name, quality: Number(quality) }
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((one, other) => other.quality - one.quality)
    .map(({ name }) => name)
