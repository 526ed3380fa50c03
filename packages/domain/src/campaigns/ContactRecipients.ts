import { Context, type Effect } from "effect"
import type { ContactId } from "../crm/index.ts"
import type { TenantScoped, Transaction } from "../kernel/index.ts"

/** What the organization's broadcasts hold of contacts. */
export class ContactRecipients extends Context.Service<
  ContactRecipients,
  TenantScoped<{
    /** Removes addresses and values of these contacts from all broadcasts, and from lists that were kept. They stay counted. */
    readonly forget: (contactIds: ReadonlyArray<ContactId>) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/campaigns/ContactRecipients") {}
