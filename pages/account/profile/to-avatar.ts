/** Pixels of each side. */
const side = 256
/** Characters of a data URI. Lists leave longer pictures out, and every sign-in carries this one. */
const most = 32 * 1024
const qualities = [0.9, 0.75, 0.6, 0.4, 0.2]

/** The middle of a picture as a small square, as a data URI. Rejects what the browser does not read as a picture. */
export const toAvatar = async (file: Blob): Promise<string> => {
  const picture = await createImageBitmap(file)
  const length = Math.min(picture.width, picture.height)
  const canvas = document.createElement('canvas')
  canvas.width = side
  canvas.height = side
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser has no canvas')
  // What is transparent would be black in a JPEG.
  context.fillStyle = '#fff'
  context.fillRect(0, 0, side, side)
  const [left, top] = [(picture.width - length) / 2, (picture.height - length) / 2]
  context.drawImage(picture, left, top, length, length, 0, 0, side, side)
  picture.close()
  for (const quality of qualities) {
    const uri = canvas.toDataURL('image/jpeg', quality)
    if (uri.length <= most) return uri
  }
  throw new Error('No picture of this size is larger')
}
