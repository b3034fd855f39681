/** Of the administrator of the first start. */
export const adminPassword = 'correct horse battery'
/** Of whoever else a test adds. */
export const userPassword = 'plain green teapot'
