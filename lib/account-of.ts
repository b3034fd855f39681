/** The account of a user, as the device cookie names it. */
export const accountOf = ({ id, tenantId }: { id: number; tenantId: number }) => ({ userId: id, tenantId })
