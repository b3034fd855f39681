import { OperatorError } from './operator-error.js'
import type { Fault } from './violations.js'

/** A file that cannot be read. The message is for an operator, the fault for an answer over HTTP. */
export class FileFault extends OperatorError {
  readonly fault: Fault

  constructor(message: string, rule: Fault['rule'], parameters: Fault['parameters'] = {}) {
    super(message)
    this.fault = { field: 'file', rule, parameters }
  }
}
