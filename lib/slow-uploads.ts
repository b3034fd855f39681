import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** Time in which the rest of a refused upload must arrive. Milliseconds. */
const restTime = 5_000

/** The uploads, and whether Node.js has said that they are late; it says so once for each request. */
const uploads = new WeakMap<Socket, { isLate: boolean }>()

/**
 * Excepts an upload from the time in which a request must arrive, because its pace is watched instead. The returned function
 * ends the exception.
 */
export const allowSlowUpload = (request: IncomingMessage): (() => void) => {
  const { socket } = request
  const upload = { isLate: false }
  uploads.set(socket, upload)
  return () => {
    uploads.delete(socket)
    if (!upload.isLate || request.complete) return
    const timer = setTimeout(() => socket.destroy(), restTime).unref()
    for (const event of ['end', 'close']) request.once(event, () => clearTimeout(timer))
  }
}

/** Whether a request that is late is an upload, which may go on. */
export const mayBeLate = (socket: Socket): boolean => {
  const upload = uploads.get(socket)
  if (upload) upload.isLate = true
  return upload !== undefined
}
