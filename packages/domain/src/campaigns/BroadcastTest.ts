import { Schema } from "effect"
import { ContactId, PhoneNumber, PhoneNumberInput } from "../crm/index.ts"
import { MessageError } from "../messaging/inbox/index.ts"
import { VariantKey } from "./Broadcast.ts"

/** Whom a broadcast is tried with. */
export const NewBroadcastTest = Schema.Struct({
  to: Schema.Array(PhoneNumberInput).check(
    Schema.isBetweenLength(1, 5, { message: "Expected 1 to 5 phone numbers" }),
    Schema.isUnique({ message: "Expected each phone number once" })
  ),
  contactId: Schema.optionalKey(ContactId).annotateKey({
    description: "Contact whose values fill the message. It needs the permission `contacts.read`."
  }),
  variant: Schema.optionalKey(VariantKey).annotateKey({ description: "The first one, if it is absent." })
}).annotate({ identifier: "NewBroadcastTest" })
export type NewBroadcastTest = typeof NewBroadcastTest.Type

/** What came of a message that was sent to try a broadcast. */
export const BroadcastTestResult = Schema.Struct({
  to: PhoneNumber,
  /** `refused`: the number is of somebody who is blocked or has opted out. `in_doubt`: the answer of the provider was lost. */
  status: Schema.Literals(["sent", "failed", "refused", "in_doubt"]),
  error: Schema.NullOr(MessageError)
}).annotate({ identifier: "BroadcastTestResult" })
export type BroadcastTestResult = typeof BroadcastTestResult.Type

/** What came of trying a broadcast, number by number. */
export const BroadcastTest = Schema.Struct({ results: Schema.Array(BroadcastTestResult) }).annotate({
  identifier: "BroadcastTest"
})
export type BroadcastTest = typeof BroadcastTest.Type
