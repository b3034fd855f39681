// A line for each guest.
export { default as console } from './console/guest.js'
export { default as samples } from './samples/guest.js'
export { default as workbooks } from './workbooks/guest.js'
export { default as tokens } from './tokens/guest.js'
export { default as provider } from './provider/guest.js'
