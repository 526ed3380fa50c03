import { Context, type DateTime, type Effect } from "effect"
import { defineSealedField, type TenantScoped, type Transaction } from "../../kernel/index.ts"
import type { MessageId } from "./Message.ts"

/** Sealed code of a message that was not sent yet. */
export interface SealedOneTimeCode {
  readonly messageId: MessageId
  readonly sealed: string
  /** Time after which no template shows the code as valid. */
  readonly expiresAt: DateTime.Utc
}

/** Codes of authentication templates. A code is deleted when the provider has accepted its message. */
export class OneTimeCodes extends Context.Service<
  OneTimeCodes,
  TenantScoped<{
    readonly insert: (code: SealedOneTimeCode) => Effect.Effect<void, never, Transaction>
    /** Returns the sealed code of the message; `null` if it was deleted. */
    readonly find: (id: MessageId) => Effect.Effect<string | null>
    readonly erase: (ids: ReadonlyArray<MessageId>) => Effect.Effect<void, never, Transaction>
    /** Deletes expired codes of messages that do not wait to be sent. Returns the number. */
    readonly sweep: () => Effect.Effect<number>
  }>
>()("@parley/domain/messaging/inbox/OneTimeCodes") {}

export const sealedOneTimeCodes = defineSealedField("message", "one_time_code", {
  kind: "configuration",
  reason: "Parley sends the code to the API of the provider, in the message of the code."
})
