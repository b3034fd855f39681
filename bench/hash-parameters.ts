/** The lowest parameters that the settings accept, which are their defaults. */
export const hashParameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
