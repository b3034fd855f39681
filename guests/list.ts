// A line for each guest.
export { default as console } from './console/guest.js'
