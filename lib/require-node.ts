import { nodeFault } from './node-version.js'

// For modules that other programs import. It throws, because only the program may end the process.
const fault = nodeFault()
if (fault !== undefined) throw new Error(fault)
