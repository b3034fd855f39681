import { nodeFault } from './node-version.js'

// For modules that other programs import: to end the process is not theirs to decide.
const fault = nodeFault()
if (fault !== undefined) throw new Error(fault)
