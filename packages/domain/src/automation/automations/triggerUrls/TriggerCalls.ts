import { Context, type DateTime, Effect, Schema } from "effect"
import { ContactId, PhoneNumberInput } from "../../../crm/index.ts"
import { StorableJsonObject, type TenantScoped, type Transaction, Uuid } from "../../../kernel/index.ts"
import { EmailAddressInput } from "../../../platform/identity/index.ts"
import type { AutomationId } from "../AutomationId.ts"

export const TriggerCallId = Uuid.pipe(Schema.brand("TriggerCallId"))
export type TriggerCallId = typeof TriggerCallId.Type

/** Contact of a call: exactly one of the fields. */
const TriggerContact = Schema.Struct({
  id: Schema.optionalKey(ContactId),
  phone: Schema.optionalKey(PhoneNumberInput),
  email: Schema.optionalKey(EmailAddressInput)
})
  .check(
    Schema.makeFilter((contact: object) => {
      const [first, ...others] = Object.keys(contact)
      const path = others.slice(0, 1)
      return (
        (first !== undefined && others.length === 0) || { path, issue: "Expected exactly one of: id, phone, email" }
      )
    })
  )
  .annotate({ identifier: "TriggerContact" })
export type TriggerContact = typeof TriggerContact.Type

/** Body of a call of a trigger URL. */
export const TriggerCallInput = Schema.Struct({
  contact: TriggerContact.annotateKey({ description: "Contact of the run: its id, phone number or e-mail address." }),
  data: Schema.optionalKey(StorableJsonObject).annotateKey({
    description: "Values for conditions and texts, as `webhook`. Default: none."
  })
}).annotate({ identifier: "TriggerCall" })
export type TriggerCallInput = typeof TriggerCallInput.Type

/** Reason why a call starts no run. */
export const IgnoredCall = Schema.Literals([
  "automation_disabled",
  "contact_blocked",
  "kill_switch",
  "other_event",
  "plan",
  "repeated",
  "suspended"
])
export type IgnoredCall = typeof IgnoredCall.Type

/** Result of a call. */
export class TriggerReceipt extends Schema.Class<TriggerReceipt>("TriggerReceipt")({
  callId: Schema.NullOr(TriggerCallId).annotateKey({
    description: "Id of the call, the same for a repeated call; null if it is ignored for another reason."
  }),
  ignored: Schema.NullOr(IgnoredCall).annotateKey({
    description:
      "Why the call starts no run; null if it starts one. `other_event`: the automation does not start on `webhook.received`."
  })
}) {}

/** Accepted call. Its data stays readable for the run and its explanation. */
export interface TriggerCall {
  readonly id: TriggerCallId
  readonly automationId: AutomationId
  readonly contactId: ContactId
  readonly data: typeof StorableJsonObject.Type
  readonly at: DateTime.Utc
}

/** Accepted calls of the trigger URLs. */
export class TriggerCalls extends Context.Service<
  TriggerCalls,
  TenantScoped<{
    readonly find: (id: TriggerCallId) => Effect.Effect<TriggerCall | null>
    /** Returns `false` if a call with this id exists. A concurrent one waits for the first. */
    readonly add: (call: TriggerCall) => Effect.Effect<boolean, never, Transaction>
    /** Deletes all calls about these contacts. */
    readonly forget: (contactIds: ReadonlyArray<ContactId>) => Effect.Effect<void, never, Transaction>
    /** Deletes up to `limit` calls from before the time; returns their number. */
    readonly sweep: (before: DateTime.Utc, limit: number) => Effect.Effect<number>
  }>
>()("@parley/domain/automation/automations/TriggerCalls") {}

/** Contact data owner of calls: their data is deleted with the contact. */
export const triggerCallData = {
  permission: "contacts.read" as const,
  timeline: () => Effect.succeed([]),
  export: () => Effect.succeed({}),
  nothing: {},
  move: () => Effect.void,
  moveBack: () => Effect.void,
  forget: Effect.fnUntraced(function* (contactIds: ReadonlyArray<ContactId>) {
    yield* (yield* TriggerCalls).forget(contactIds)
  })
}
