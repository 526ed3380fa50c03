import type { SimulatedNumber } from "../Options.ts"
import type { Customer } from "../World.ts"

const temporaryMillis = 7 * 24 * 3_600_000

export type CallPermission =
  | { readonly status: "no_permission" | "permanent" }
  | { readonly status: "temporary"; readonly expiresAt: number }

/** Permission of a number to call a customer at this time. */
export const callPermissionOf = (customer: Customer, { phoneId }: SimulatedNumber, now: number): CallPermission => {
  const permission = customer.callPermissions.get(phoneId)
  if (permission === undefined) return { status: "no_permission" }
  const { expiresAt } = permission
  if (expiresAt === null) return { status: "permanent" }
  return expiresAt > now ? { status: "temporary", expiresAt } : { status: "no_permission" }
}

/** Permits calls permanently or for 7 days; returns the end. */
export const permitCalls = (
  customer: Customer,
  { phoneId }: SimulatedNumber,
  now: number,
  isPermanent: boolean
): number | null => {
  const expiresAt = isPermanent ? null : now + temporaryMillis
  customer.callPermissions.set(phoneId, { expiresAt })
  return expiresAt
}

export const forbidCalls = (customer: Customer, { phoneId }: SimulatedNumber): void => {
  customer.callPermissions.delete(phoneId)
}
