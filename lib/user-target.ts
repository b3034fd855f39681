/** What the audit trail names when an account is changed. */
export const userTarget = ({ id, username, tenantId }: { id: number; username: string; tenantId: number }) => ({
  type: 'user' as const,
  id,
  name: username,
  tenantId,
})
