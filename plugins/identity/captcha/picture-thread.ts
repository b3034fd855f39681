import { parentPort } from 'node:worker_threads'
import { lowerPriority } from '../../../lib/lower-priority.js'
import { drawCaptcha } from './picture.js'

lowerPriority()

// Answers each text with its picture, in the same order.
parentPort?.on('message', (text: string) => {
  parentPort?.postMessage(drawCaptcha(text).toString('base64'))
})
