import type { IdentityRef } from "../../crm/index.ts"

/** What a contact is known by who is this customer: the shop stays the same when it is renamed. */
export const customerIdentity = (provider: string, shopId: string, externalId: string): IdentityRef => ({
  kind: "store_customer",
  value: `${provider}/${shopId}/${externalId}`
})
