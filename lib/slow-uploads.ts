import type { Socket } from 'node:net'

const uploads = new WeakSet<Socket>()

/**
 * Excepts an upload from the time in which a request must arrive, because its pace is watched instead. The returned function
 * ends the exception.
 */
export const allowSlowUpload = (socket: Socket): (() => void) => {
  uploads.add(socket)
  return () => void uploads.delete(socket)
}

export const isSlowUpload = (socket: Socket): boolean => uploads.has(socket)
