/** The floor of the settings, which a new installation has. */
export const hashParameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
