/** Something that whoever runs Rollcall can mend: the message says what, so no stack is shown. */
export class OperatorError extends Error {}
