import { parentPort } from 'node:worker_threads'
import { lowerPriority } from '../../lib/lower-priority.js'
import { drawCaptcha } from './picture.js'

lowerPriority()

// A text comes in, its picture goes out, in order.
parentPort?.on('message', (text: string) => {
  parentPort?.postMessage(drawCaptcha(text).toString('base64'))
})
