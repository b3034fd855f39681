// Runs in a thread of its own, and is JavaScript so that the thread starts without a compiler, in tests too.
import { parentPort, workerData } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'

const connection = new Sqlite(String(workerData))
connection.pragma('synchronous = NORMAL')

parentPort?.on('message', () => {
  try {
    connection.pragma('wal_checkpoint(passive)')
    parentPort?.postMessage(null)
  } catch (error) {
    // A full disk or the like. The log is kept, and the next commit meets the same fault where it can be reported.
    parentPort?.postMessage(error?.code ?? String(error))
  }
})
