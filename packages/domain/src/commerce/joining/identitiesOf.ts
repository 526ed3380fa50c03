import type { IdentityRef } from "../../crm/index.ts"
import { readEmail, readPhones } from "../customers/toldCustomer.ts"
import type { StoreConnection } from "../StoreConnection.ts"
import { customerIdentity } from "./customerIdentity.ts"

/** What somebody is known by, of each kind. */
export interface KnownBy {
  readonly phones: ReadonlyArray<IdentityRef>
  readonly emails: ReadonlyArray<IdentityRef>
}

/** What whoever has ordered without an account is known by. */
export const guestKnownBy = (
  { email, phones }: { readonly phones: ReadonlyArray<string | null>; readonly email: string | null },
  connection: Pick<StoreConnection, "country">
): KnownBy => {
  const address = readEmail(email)
  return {
    phones: readPhones(phones, connection).map((value) => ({ kind: "phone", value })),
    emails: address === null ? [] : [{ kind: "email", value: address }]
  }
}

/** What a customer is known by to contacts; nothing where the shop is not known yet. */
export const identityOf = (
  { provider, shopId }: Pick<StoreConnection, "provider" | "shopId">,
  externalId: string
): ReadonlyArray<IdentityRef> => (shopId === null ? [] : [customerIdentity(provider, shopId, externalId)])
