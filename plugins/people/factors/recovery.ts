import type { Repositories } from '../../../db/index.js'

interface Collaborators {
  newRecoveryCodes: () => string[]
  hashOfCode: (userId: number, code: string) => string
}

/** Makes recovery codes, which are shown once: only their hashes are stored. */
export const createRecovery = ({ newRecoveryCodes, hashOfCode }: Collaborators) => ({
  async replace({ recoveryCodes }: Pick<Repositories, 'recoveryCodes'>, userId: number): Promise<string[]> {
    const codes = newRecoveryCodes()
    await recoveryCodes.replace(
      userId,
      codes.map((code) => hashOfCode(userId, code)),
    )
    return codes
  },
})

export type NewRecoveryCodes = ReturnType<typeof createRecovery>
