import type { Customer } from "../World.ts"

/** Runs when the customer's phone is online, if that is before the message expires. */
export const whenOnline = (customer: Customer, expiresAt: number, run: () => void) => {
  if (customer.isOnline) run()
  else customer.pending.push({ expiresAt, run })
}

/** Switches a customer's phone on or off. What waited and has not expired is delivered. */
export const setOnline = (customer: Customer, isOnline: boolean, now: number) => {
  customer.isOnline = isOnline
  if (!isOnline) return
  for (const { expiresAt, run } of customer.pending.splice(0)) if (expiresAt > now) run()
}
