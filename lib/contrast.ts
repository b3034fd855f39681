/** Linear light of a part of a color, 0 to 255 (WCAG 2.2, "relative luminance"). */
const linear = (part: number): number => {
  const share = part / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

/** The contrast of a color, `#rrggbb`, with white, 1 to 21 (WCAG 2.2, "contrast ratio"); NaN for any other text. */
export const contrastWithWhite = (color: string): number => {
  const [, red = '', green = '', blue = ''] = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(color) ?? []
  const [r, g, b] = [red, green, blue].map((part) => linear(parseInt(part, 16))) as [number, number, number]
  return 1.05 / (0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05)
}

/** Enough for white text of any size (WCAG 2.2, 1.4.3). */
const enough = 4.5

const darker = (color: string, share: number): string =>
  color.replace(/[\da-f]{2}/gi, (part) =>
    Math.floor(parseInt(part, 16) * share)
      .toString(16)
      .padStart(2, '0'),
  )

/** The color itself, or the lightest one of its hue on which white text can be read. */
export const darkened = (color: string): string => {
  if (contrastWithWhite(color) >= enough) return color
  const shares = Array.from({ length: 100 }, (_none, index) => (99 - index) / 100)
  return shares.map((share) => darker(color, share)).find((one) => contrastWithWhite(one) >= enough) ?? '#000000'
}
