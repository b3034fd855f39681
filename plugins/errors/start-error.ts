/** Rollcall cannot start, and its operator can mend that: the message says how, so no stack is shown. */
export class StartError extends Error {}
